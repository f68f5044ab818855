import { setTimeout as sleep } from "node:timers/promises";
import { JOB_FAST_LINKS } from "../../../src/jobs/limits.ts";
import { newIds } from "../../../src/platform/lib/uuid.ts";
import type { Answer } from "../../../test/e2e/support/http.ts";
import { createAccount } from "../../../test/support/accounts.ts";
import { NOW } from "../instrumented/year.ts";
import { asPerson, type Account, type Ask } from "./account.ts";
import { importFile } from "./files.ts";
import { HINTS, type Hint } from "./hints.ts";
import { refuse, type Fault } from "./largest.ts";
import { bodyOf, callOf, contractOf, partsOf, searchOf, type Call } from "./requests.ts";
import { FIRST_ID } from "./tables.ts";

// Makes the largest request of each operation, with the resources that it needs.

/** Makes everything as it was at first, then what a call needs, and returns the request. */
export async function makeCall(account: Account, call: Call): Promise<Ask> {
  await account.server.db.batch(account.restore);
  return toAsk(account, call, await hintOf(account, call));
}

/** Requests that the service may refuse before it accepts one. */
const MAX_ATTEMPTS = 20;

export const isAccepted = ({ status }: Answer) => status < 300;

export const refusalOf = ({ method, path }: Ask, { status, text }: Answer) =>
  new Error(`${method} ${path.slice(0, 300)}: ${status} ${text.slice(0, 500)}`);

/** Sends the largest request that the service accepts: what it refuses is replaced by an example, or left out. */
export async function accept(
  account: Account,
  call: Call,
  make = async () => toAsk(account, call, await hintOf(account, call)),
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    const ask = await make();
    const answer = await account.send(ask);
    if (isAccepted(answer)) return answer;
    const { details = [] } = answer.json() as { details?: Fault[] };
    if (answer.status !== 400 || attempt === MAX_ATTEMPTS || !refuse(call.refused, details))
      throw refusalOf(ask, answer);
  }
}

/** Makes the largest resource, by the operation that does so. */
export async function create(
  account: Account,
  operation: string,
  make?: () => Promise<Ask>,
): Promise<{ id: string; url?: string }> {
  const answer = await accept(account, callOf(operation), make);
  return Object.values(answer.json() as Record<string, { id: string }>)[0] ?? { id: "" };
}

/** Creates a hundred of the largest links; returns their ids. */
export async function createHeavyLinks(account: Account): Promise<string[]> {
  const answer = await accept(account, callOf("POST /api/links/bulk"));
  const { results } = answer.json() as { results: { link?: { id: string } }[] };
  const refused = results.find(({ link }) => link === undefined);
  if (refused !== undefined) throw new Error(`a bulk creation refuses links: ${JSON.stringify(refused)}`);
  return results.map(({ link }) => link?.id ?? "");
}

async function hintOf(account: Account, { operation }: Call): Promise<Hint> {
  if (operation === "DELETE /api/links/bulk") return { fields: { ids: await createHeavyLinks(account) } };
  const hint = (await HINTS[operation]?.(account)) ?? {};
  if (hint.sql !== undefined) await account.server.db.exec(hint.sql);
  // An account can have two jobs at once.
  const startsJob = /^POST \/api\/(bulk|imports)$/.test(operation);
  return startsJob ? { key: (await createAccount(account.server.db)).key, ...hint } : hint;
}

async function toAsk(account: Account, call: Call, hint: Hint): Promise<Ask> {
  const [method, path] = partsOf(call.operation);
  const { security = [], parameters = [] } = contractOf(call.operation);
  const found: Found = hint.path === undefined ? await fillPath(account, call.operation, path) : { path: hint.path };
  const body = hint.body ?? bodyOf(account, call, hint);
  const takesKey = hint.key === undefined ? security.some((scheme) => "apiKey" in scheme) : hint.key !== null;
  const idempotent = takesKey && parameters.some(({ name }) => name.toLowerCase() === "idempotency-key");
  const key = takesKey ? (hint.key ?? found.key ?? account.key) : null;
  return {
    method,
    path: hint.path ?? `${found.path}${searchOf(account, call, hint)}`,
    key,
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      ...(!takesKey && hint.key === undefined && asPerson(account, path).headers),
      ...(idempotent && { "Idempotency-Key": crypto.randomUUID() }),
      ...hint.headers,
    },
  };
}

interface Found {
  path: string;
  /** Of the account that it belongs to. */
  key?: string;
}

async function fillPath(account: Account, operation: string, path: string): Promise<Found> {
  const found: Found = { path: "" };
  let upTo = "";
  for (const step of path.split("/").slice(1)) {
    upTo += `/${step}`;
    const next = step.startsWith("{") ? await findResource(account, operation, upTo) : { path: step };
    Object.assign(found, next, { path: `${found.path}/${next.path}` });
  }
  return found;
}

/** What a parameter of a path stands for. */
async function findResource(account: Account, operation: string, upTo: string): Promise<Found> {
  if (upTo === "/api/links/{id}") return findLink(account, operation);
  if (upTo === "/api/tags/{tag}") return findTag(account);
  if (upTo === "/api/jobs/{id}") {
    const path = finished.get(upTo)?.path ?? (await create(account, "DELETE /api/tags/:tag")).id;
    finished.set(upTo, { path });
    return { path };
  }
  if (/\/(bulk|imports|exports)\/\{id\}$/.test(upTo)) return findJob(account, operation, upTo.replace("/{id}", ""));
  return { path: account.ids[upTo] ?? FIRST_ID };
}

/** The link with the most clicks for what is about clicks; a new link of the largest size for all others. */
async function findLink(account: Account, operation: string): Promise<Found> {
  if (/clicks|qr/.test(operation)) return { path: account.busyLink };
  const { id } = await create(account, "POST /api/links");
  if (operation.endsWith("/restore")) await account.ask({ method: "DELETE", path: `/api/links/${id}` });
  return { path: id };
}

/** Jobs rename and delete tags. The tag that most links have is kept: its job would take minutes. */
async function findTag({ server, accountId }: Account): Promise<Found> {
  const find = "SELECT name FROM tags WHERE account_id = ?1 AND name GLOB 'tag-*' ORDER BY links DESC LIMIT 1";
  return { path: (await server.db.prepare(find).bind(accountId).first<string>("name")) ?? "" };
}

/** Actions that are possible only in a state, with those that lead to it. */
const BEFORE: Record<string, string[]> = {
  "/api/bulk resume": ["pause"],
  "/api/bulk undo": ["cancel"],
  "/api/imports pause": ["start"],
  "/api/imports cancel": ["start"],
  "/api/imports resume": ["start", "pause"],
  "/api/imports undo": ["start", "cancel"],
};
/** Rows of a file that is read within seconds. */
const ROWS = 5_000;
const POLL_MS = 200;
const finished = new Map<string, Found>();

/** A job that runs, in a new account, for a change; any other call gets one that is done, always the same. */
async function findJob(account: Account, operation: string, collection: string): Promise<Found> {
  const known = finished.get(collection);
  const isChange = !operation.startsWith("GET");
  if (known !== undefined && !isChange) return known;
  const call = callOf(`POST ${collection}`);
  const { key: newKey, ...hint } = await hintOf(account, call);
  // A URL that is invalid makes the import refuse all rows.
  if (collection === "/api/imports") hint.body = importFile(ROWS, 300, isChange ? undefined : "javascript:");
  // A job of more links is slow on purpose.
  if (collection === "/api/bulk" && !isChange) hint.fields = { ...hint.fields, ids: newIds(NOW, JOB_FAST_LINKS) };
  const given = isChange ? { ...hint, key: newKey ?? account.key } : hint;
  const { id } = await create(account, `POST ${collection}`, () => toAsk(account, call, given));
  const { body: _, ...ask } = await toAsk(account, call, given);
  const at = (method: string, path: string): Ask => ({ ...ask, method, path: `${collection}/${id}${path}` });
  const wait = async (wanted: string) => {
    for (let status = ""; status !== wanted; await sleep(POLL_MS)) {
      ({ status } = await account.ask<{ status: string }>(at("GET", "")));
      if (status === "failed") throw new Error(`the job of ${collection} failed`);
    }
  };
  if (collection === "/api/imports") await wait("ready");
  if (collection === "/api/bulk" && isChange) await wait("running");
  if (collection === "/api/imports" && !isChange) await account.ask(at("POST", "/start"));
  if (!isChange) await wait("done");
  for (const before of BEFORE[`${collection} ${operation.split("/").at(-1)}`] ?? [])
    await account.ask(at("POST", `/${before}`));
  const found = { path: id, ...(typeof ask.key === "string" && { key: ask.key }) };
  if (!isChange) finished.set(collection, found);
  return found;
}
