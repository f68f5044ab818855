import type { Answer } from "../../test/e2e/support/http.ts";
import { createAccount } from "../../test/support/accounts.ts";
import { newIds } from "../../src/lib/uuid.ts";
import { MAX_BULK_JOB_IDS } from "../../src/bulk/limits.ts";
import { MAX_RETRIED_DELIVERIES } from "../../src/webhooks/limits.ts";
import { insertDeliveries } from "../growth/fill.ts";
import { NOW } from "../instrumented/year.ts";
import { fillConsole, fillListener, restore, waitFor, type Ask, type FilledAccount } from "./account.ts";
import { importFile } from "./files.ts";
import { asPerson, HINTS, type Hint } from "./hints.ts";
import { refuse } from "./largest.ts";
import { PASSWORD } from "./names.ts";
import { bodyOf, callerOf, callOf, contractOf, partsOf, searchOf, type Call } from "./requests.ts";

// Makes the worst call of each operation, with the resources that it needs.

/** Makes everything as it was at first. */
async function prepare(account: FilledAccount, { operation }: Call): Promise<void> {
  await restore(account);
  if (/\/(admin|takedowns)/.test(operation) && operation !== "POST /api/admin/takedowns") await fillConsole(account);
}

/** Makes what a call needs, and returns the request. */
export async function makeCall(account: FilledAccount, call: Call): Promise<Ask> {
  await prepare(account, call);
  return toAsk(account, call, await hintOf(account, call));
}

/** Makes a call until the service accepts it; the next ones are alike. */
export async function learnCall(account: FilledAccount, call: Call): Promise<Answer> {
  return accept(account, call, undefined, () => prepare(account, call));
}

async function toAsk(account: FilledAccount, call: Call, hint: Hint): Promise<Ask> {
  const [method, path] = partsOf(call.operation);
  const contract = contractOf(call.operation);
  const found = hint.path ?? (await withParameters(account, call.operation, path, hint));
  const { path: filled, ...caller } = typeof found === "string" ? { path: found } : found;
  const body = hint.body ?? bodyOf(account, call, hint, contract);
  const json = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const idempotent = contract.parameters?.some(({ name }) => name.toLowerCase() === "idempotency-key") === true;
  const key = hint.key === undefined ? callerOf(contract, caller.key) : hint.key;
  const person =
    key === null && !call.operation.includes("anonymous")
      ? asPerson(account, hint.cookies, path.includes("/account"))
      : null;
  return {
    method,
    path: hint.path ?? `${filled}${searchOf(account, call, hint, contract)}`,
    ...(key !== undefined && { key }),
    ...(json !== undefined && { body: json }),
    headers: {
      ...person?.headers,
      ...(idempotent && key !== null && { "Idempotency-Key": crypto.randomUUID() }),
      ...caller.headers,
      ...hint.headers,
    },
  };
}

interface Found {
  path: string;
  key?: string;
  headers?: Record<string, string>;
}

/** What parameters of a path stand for, by the path up to them. All others are made by the POST of their collection. */
const PARAMETERS: Record<string, (account: FilledAccount) => string | Promise<string>> = {
  "/api/teams/{id}": ({ person }) => person.team,
  "/api/teams/{id}/members/{userId}": ({ person }) => person.colleagueId,
  "/api/teams/{id}/invitations/{invitationId}": ({ person }) => person.invitationId,
  "/api/auth/sessions/{id}": ({ person }) => person.otherSessionId,
  "/api/auth/passkeys/{id}": ({ person }) => person.passkeyId,
  "/api/auth/apps/{id}": ({ person }) => person.grantId,
  "/api/slugs/{slug}": () => "x".repeat(64),
  // Jobs rename and delete tags. The one that most links have is kept: its job would take minutes.
  "/api/tags/{tag}": async ({ server, accountId }) => {
    const find = "SELECT name FROM tags WHERE account_id = ?1 AND name GLOB 'tag-*' ORDER BY links DESC LIMIT 1";
    return (await server.db.prepare(find).bind(accountId).first<string>("name")) ?? "";
  },
};

/** What is never made anew: most clicks, or the largest. */
const LARGEST: Record<string, (account: FilledAccount) => string> = {
  "/api/links/{id}": ({ busyLink }) => busyLink,
  "/api/deep-links/links/{id}": ({ heavyLinks }) => heavyLinks[0] ?? "",
};

async function withParameters(account: FilledAccount, operation: string, path: string, hint: Hint): Promise<Found> {
  let filled = "";
  let found: Omit<Found, "path"> = {};
  let inner: string | undefined;
  const steps = path.split("/").slice(1);
  for (const [index, step] of steps.entries()) {
    const upTo = `/${steps.slice(0, index + 1).join("/")}`;
    const isLast = !steps.slice(index + 1).some((later) => later.startsWith("{"));
    if (!step.startsWith("{")) filled += `/${step}`;
    else if (inner !== undefined && index > 2) filled += `/${inner}`;
    else if (isLast && hint.id !== undefined) filled += `/${hint.id}`;
    else {
      const rest = steps.length - index - 1;
      const known =
        PARAMETERS[upTo] ?? (rest > 0 && step === "{id}" && !operation.startsWith("POST") ? LARGEST[upTo] : undefined);
      const made = known === undefined ? await makeResource(account, operation, upTo) : { id: await known(account) };
      filled += `/${made.id}`;
      inner = "inner" in made ? made.inner : inner;
      found = { ...("key" in made && { key: made.key }), ...("headers" in made && { headers: made.headers }) };
    }
  }
  return { path: filled, ...found };
}

interface Made {
  id: string;
  inner?: string | undefined;
  key?: string;
  headers?: Record<string, string>;
}

/** Where resources are made whose paths are others than those of their collections. */
const MADE_BY: Record<string, string> = {
  "/api/domains": "POST /api/domains/add",
  "/api/deep-links/domains": "POST /api/domains/add",
  "/api/deep-links/links": "POST /api/links",
  "/api/shared": "POST /api/shared-pages",
  "/api/jobs": "DELETE /api/tags/:tag",
};

/** Actions that are possible only in a state, with those that lead to it. */
const BEFORE: Record<string, string[]> = {
  resume: ["pause"],
  undo: ["cancel"],
  "/api/imports pause": ["start"],
  "/api/imports cancel": ["start"],
  "/api/imports resume": ["start", "pause"],
  "/api/imports undo": ["start", "cancel"],
};

/** Makes the largest resource, by the operation that does so. */
export async function create(account: FilledAccount, operation: string): Promise<{ id: string; url?: string }> {
  const [created] = Object.values((await accept(account, callOf(operation))).json() as Record<string, { id: string }>);
  return created ?? { id: "" };
}

/** Finished deliveries of a webhook, which are made failed ones. */
async function failDeliveries(account: FilledAccount, webhook: string): Promise<string> {
  await insertDeliveries(account.server.db, webhook, 1, MAX_RETRIED_DELIVERIES);
  const update = "UPDATE deliveries SET status = 'failed', due_at = NULL WHERE webhook_id = ?1";
  await account.server.db.prepare(update).bind(webhook).run();
  const find = account.server.db.prepare("SELECT min(event_id) AS id FROM deliveries WHERE webhook_id = ?1");
  return (await find.bind(webhook).first<string>("id")) ?? "";
}

/** Fills a resource that was made for a call; returns the id of what is in it, for the second parameter of the path. */
const FILLED: Record<string, (account: FilledAccount, id: string) => Promise<string>> = {
  "/api/listeners": fillListener,
  "/api/webhooks": failDeliveries,
};

async function makeResource(account: FilledAccount, operation: string, path: string): Promise<Made> {
  const collection = path.replace(/\/\{\w+\}$/, "");
  if (/^\/api\/(bulk|imports|exports|account\/exports)$/.test(collection))
    return makeJob(account, operation, collection);
  const { id, url = "" } = await create(account, MADE_BY[collection] ?? `POST ${collection}`);
  const inner = /deliveries|listeners/.test(operation) ? await FILLED[collection]?.(account, id) : undefined;
  if (operation.endsWith("/restore")) await account.ask({ method: "DELETE", path: `${collection}/${id}` });
  if (collection !== "/api/shared") return { id, inner };
  const token = url.split("/").at(-1) ?? "";
  const body = JSON.stringify({ password: PASSWORD });
  const { headers } = await account.send({ method: "POST", path: `/api/shared/${token}/password`, body, key: null });
  return { id: token, headers: { Cookie: String(headers["set-cookie"]).split(";")[0] ?? "" } };
}

const finished = new Map<string, Promise<Made>>();
/** Rows of a file that is read within seconds. */
const ROWS = 5_000;

/** A job that runs, in a new account, for an action; any other call gets one that is done. */
async function makeJob(account: FilledAccount, operation: string, collection: string): Promise<Made> {
  const action = operation.startsWith("PATCH") ? "PATCH" : /^POST .*\/(\w+)$/.exec(operation)?.[1];
  if (action !== undefined) return startJob(account, collection, action);
  const job = finished.get(collection) ?? startJob(account, collection, "");
  finished.set(collection, job);
  return job;
}

async function startJob(account: FilledAccount, collection: string, action: string): Promise<Made> {
  const isExport = collection.endsWith("exports");
  const key = isExport ? undefined : (await createAccount(account.server.db)).key;
  const call = callOf(`POST ${collection}`);
  const hint = (await HINTS[call.operation]?.(account, 0)) ?? {};
  if (collection === "/api/imports") hint.body = importFile(ROWS, 300, action === "" ? "javascript:" : undefined);
  // Jobs are slow on purpose.
  const ids = newIds(NOW, Math.min(account.links, MAX_BULK_JOB_IDS));
  if (collection === "/api/bulk" && action === "") hint.fields = { ...hint.fields, ids };
  const ask = await toAsk(account, call, { ...hint, ...(key !== undefined && { key }) });
  const [job] = Object.values(await account.ask<Record<string, { id: string }>>(ask));
  const id = job?.id ?? "";
  const { body: _, ...caller } = ask;
  const at = (method: string, path: string): Ask => ({ ...caller, method, path: `${collection}/${id}${path}` });
  const wait = (status: string) => waitFor(account, at("GET", ""), status);
  if (collection === "/api/imports") await wait("ready");
  if (collection === "/api/bulk" && action !== "") await wait("running");
  if (action === "" && collection === "/api/imports") await account.ask(at("POST", "/start"));
  if (action === "") await wait("done");
  for (const before of BEFORE[`${collection} ${action}`] ?? BEFORE[action] ?? [])
    await account.ask(at("POST", `/${before}`));
  return { id, ...(key !== undefined && { key }) };
}

/** Requests that the service may refuse before it accepts one. */
const MAX_ATTEMPTS = 20;

export const isAccepted = ({ status }: Answer) => status < 300;

/** Sends the largest request that the service accepts: what it refuses is replaced by an example, or left out. */
export async function accept(
  account: FilledAccount,
  call: Call,
  hint?: Hint,
  before?: () => Promise<void>,
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    await before?.();
    const given = hint ?? (await hintOf(account, call));
    const ask = await toAsk(account, call, given);
    const answer = await account.send(ask);
    if (isAccepted(answer)) return answer;
    const { details = [] } = answer.json() as { details?: { path: string; message: string }[] };
    if (answer.status !== 400 || attempt === MAX_ATTEMPTS || !refuse(call.refused, details))
      throw new Error(`${ask.method} ${ask.path.slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 500)}`);
  }
}

/** Creates a hundred of the largest links; returns their ids. */
export async function createHeavyLinks(account: FilledAccount): Promise<string[]> {
  const answer = await accept(account, callOf("POST /api/links/bulk"));
  const { results } = answer.json() as { results: { link?: { id: string } }[] };
  const refused = results.find(({ link }) => link === undefined);
  if (refused !== undefined) throw new Error(`a bulk creation refuses links: ${JSON.stringify(refused)}`);
  return results.map(({ link }) => link?.id ?? "");
}

async function hintOf(account: FilledAccount, call: Call): Promise<Hint> {
  if (call.operation === "DELETE /api/links/bulk") return { fields: { ids: await createHeavyLinks(account) } };
  const hint = (await HINTS[call.operation]?.(account, call.made++)) ?? {};
  // An account can have two jobs at once.
  const startsJob = /^POST \/api\/(bulk|imports)$/.test(call.operation);
  return startsJob ? { ...hint, key: (await createAccount(account.server.db)).key } : hint;
}
