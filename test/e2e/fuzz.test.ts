import * as fc from "fast-check";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { documents } from "../../src/app.ts";
import { addKey, createAccount, createLink } from "./support/accounts.ts";
import { faultOfBody, faultOfHeaders } from "./support/conformity.ts";
import { countChanges, watchChanges } from "./support/fuzz-changes.ts";
import { createPerson, idsOf, NEED_SECRETS, PERSONS, restorePerson, type FuzzPerson } from "./support/fuzz-person.ts";
import {
  createNote,
  createSharedPage,
  createTag,
  createTemplate,
  createListener,
  createWebhook,
  insertDomain,
  latestDelivery,
  LINK_FIELDS,
  makeRoom,
  settleJob,
  withImport,
  withJob,
} from "./support/fuzz-resources.ts";
import {
  eachOperation,
  FOR_PERSONS,
  replaceIds,
  requestsOf,
  shorten,
  toBody,
  type FuzzRequest,
} from "./support/fuzz.ts";
import type { Answer } from "./support/http.ts";
import { checkerFor, exampleOf, resolveShared, type Check, type Document } from "./support/openapi.ts";
import { startReceiver, startResolver, type Receiver } from "./support/receiver.ts";
import type { World } from "./support/schema-values.ts";
import { ORIGIN, startService, type Service } from "./support/service.ts";

// Sends valid, nearly valid and hostile requests to every endpoint of the OpenAPI document. FUZZ=100000 sends more
// requests, FUZZ_SEED=2 others.

const REQUESTS = Number(process.env["FUZZ"] ?? (inject("isNightly") ? 3_000 : 300));
/** The least number of requests to each operation. */
const REQUESTS_EACH = 2;
const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
const TIMEOUT_MS = 120_000 + REQUESTS * 1_000;

/** Part of the other account's private fields; no response to the caller may contain it. */
const SECRET = "the-other-accounts-own";

let resolver: Awaited<ReturnType<typeof startResolver>>;
let mails: Receiver;
let service: Service<"first">;
let document: Document, check: Check;
const newAccount = () => createAccount(service.db);
let mine: Awaited<ReturnType<typeof newAccount>>, theirs: typeof mine, importer: typeof mine;
/** Own the team that is `mine`, and that of `theirs`. */
let person: FuzzPerson, stranger: FuzzPerson;

/** Requests contain these placeholders instead of real ids, so a deleted resource can be created again under its id. */
const realIds = new Map<string, string>();
const placeholder = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
const [LINKS, WEBHOOKS, KEYS, DOMAINS, TEMPLATES, PAGES, NOTES, THEIRS] = [
  [1, 2, 3, 4].map(placeholder),
  [11, 12].map(placeholder),
  [21].map(placeholder),
  [31].map(placeholder),
  [71].map(placeholder),
  [72].map(placeholder),
  [73].map(placeholder),
  [41, 42, 43, 44, 45, 46, 47].map(placeholder),
] as const;
const UNKNOWN = placeholder(99);
/** In the order of `idsOf`. */
const OF_PERSON = [51, 52, 53, 54, 55, 56, 57, 58, 59].map(placeholder);
const [TEAM = "", , , COLLEAGUE = "", , OTHER_SESSION = "", PASSKEY = "", INVITATION = "", GRANT = ""] = OF_PERSON;
const OF_STRANGER = [61, 62, 63, 64, 65, 66, 67, 68, 69].map(placeholder);
/** A domain without links, so that it can be deleted. */
const EMPTY_DOMAIN = placeholder(32);
/** Not among the ids of random requests: a poll may wait for 20 seconds. */
const LISTENER = placeholder(81);

const world: World = {
  keys: [],
  cookies: [],
  origin: ORIGIN,
  ids: [
    ...LINKS,
    ...WEBHOOKS,
    ...KEYS,
    ...DOMAINS,
    ...TEMPLATES,
    ...PAGES,
    ...NOTES,
    ...THEIRS,
    ...OF_PERSON,
    ...OF_STRANGER,
    UNKNOWN,
  ],
  tokens: [`share_${"A".repeat(43)}`],
  slugs: ["fuzz-1", "Fuzz-2", "theirs", "nothing"],
  hosts: ["tern.test", "TERN.TEST:443", "go.acme.com", "theirs.acme.com", "127.0.0.1", "[::1]", "tern.test.", "a@b"],
};

beforeAll(async () => {
  [resolver, mails] = [await startResolver(), await startReceiver()];
  service = await startService(
    { first: "here" },
    { variables: { DNS_OVER_HTTPS_URL: resolver.url, ...PERSONS, MAIL_API_TOKEN: `${mails.origin} token` } },
  );
  const { first } = service.isolates;
  document = resolveShared(documents.ofAll("https://tern.test"));
  check = checkerFor(document);
  [mine, theirs, importer] = [await newAccount(), await newAccount(), await newAccount()];
  world.keys.push(mine.key);
  person = await createPerson(service.db, "ann@example.com", mine.accountId);
  stranger = await createPerson(service.db, `${SECRET}@example.com`, theirs.accountId);
  for (const [index, id] of [...idsOf(person), ...idsOf(stranger)].entries())
    realIds.set([...OF_PERSON, ...OF_STRANGER][index] ?? "", id);
  world.cookies.push(`__Host-tern=${person.token}`);
  const [link = "", webhook = "", key = "", domain = "", template = "", page = "", note = ""] = THEIRS;
  const fields = { url: "https://example.com/", title: SECRET, tags: [SECRET], externalId: SECRET, slug: "theirs" };
  realIds.set(link, (await createLink(first, theirs.key, fields)).id);
  realIds.set(webhook, await createWebhook(first, theirs.key));
  realIds.set(key, theirs.keyId);
  realIds.set(domain, await insertDomain(service.db, theirs.accountId, "theirs.acme.com", SECRET));
  realIds.set(template, await createTemplate(first, theirs.key, SECRET));
  realIds.set(page, (await createSharedPage(first, theirs.key, SECRET, { title: SECRET })).id);
  realIds.set(note, await createNote(first, theirs.key, SECRET));
  for (const id of [...DOMAINS, ...LINKS, ...WEBHOOKS, ...KEYS, ...TEMPLATES, ...PAGES, ...NOTES]) await make(id);
  for (const fields of [{}, { password: "tern in the wind" }])
    world.tokens.push((await createSharedPage(first, mine.key, "sale", fields)).token);
  await watchChanges(service.db);
});
afterAll(async () => {
  await service.stop();
  await resolver.stop();
  await mails.stop();
});

/** Creates the resource for this placeholder, also again after it was deleted. */
async function make(id: string): Promise<void> {
  const { first } = service.isolates;
  if (LINKS.includes(id)) {
    if (LINKS.indexOf(id) === 3) await Promise.all(DOMAINS.map(make));
    const fields = { url: "https://example.com/", ...LINK_FIELDS[LINKS.indexOf(id)] };
    realIds.set(id, (await createLink(first, mine.key, fields)).id);
  } else if (WEBHOOKS.includes(id)) {
    await makeRoom(service.db, "webhooks", mine.accountId, [mine.keyId, ...realIds.values()]);
    realIds.set(id, await createWebhook(first, mine.key));
  } else if (KEYS.includes(id)) {
    await makeRoom(service.db, "api_keys", mine.accountId, [mine.keyId, ...realIds.values()]);
    realIds.set(id, (await addKey(service.db, mine.accountId)).keyId);
  } else if (TEMPLATES.includes(id)) {
    await makeRoom(service.db, "utm_templates", mine.accountId, []);
    realIds.set(id, await createTemplate(first, mine.key));
  } else if (NOTES.includes(id)) {
    await makeRoom(service.db, "notes", mine.accountId, []);
    realIds.set(id, await createNote(first, mine.key));
  } else if (PAGES.includes(id)) {
    await makeRoom(service.db, "shared_pages", mine.accountId, [...realIds.values()]);
    realIds.set(id, (await createSharedPage(first, mine.key, "shared")).id);
  } else if (DOMAINS.includes(id)) {
    realIds.set(id, await insertDomain(service.db, mine.accountId, "go.acme.com"));
  }
}

const withRealIds = (request: FuzzRequest) => replaceIds(request, realIds);

it("succeeds, as the document says, in every operation with its examples", async () => {
  const { first } = service.isolates;
  const locked = { url: "https://example.com/", slug: "locked", password: "tern in the wind" };
  await createLink(first, mine.key, locked);
  realIds.set(LISTENER, await createListener(first, mine.key));
  realIds.set(EMPTY_DOMAIN, await insertDomain(service.db, mine.accountId, "empty.acme.com"));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
      // A WebSocket has a test of its own: live-clicks.test.ts.
      .filter(({ method, operation }) => !NEED_SECRETS.has(`${method} ${path}`) && !("101" in operation.responses)),
  );
  // Deletions come last.
  operations.sort((a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"));
  for (const { path, method, operation } of operations) {
    const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? ["", undefined];
    const json =
      content === undefined
        ? undefined
        : JSON.stringify(exampleOf(document, content.schema))?.replace(/(?<="userId":")[^"]+/, COLLEAGUE);
    const request: FuzzRequest = {
      operation: `${method} ${path}`,
      method,
      path: await examplePath(path, json === undefined ? "Spring-26" : locked.slug),
      headers: { ...credentialsOf(path), ...(json === undefined ? {} : { "Content-Type": type }) },
      body: toBody(type, json),
    };
    const { path: address, headers, body } = withRealIds(request);
    if (FOR_PERSONS.test(path)) await restorePerson(service.db, person);
    const answer = await first.request(method, address, { headers, body });
    // A job goes on after its response, and refuses others meanwhile.
    if (answer.status === 202) await first.settled();
    if (answer.status >= 400) expect.fail(`${request.operation}: ${answer.status} ${answer.text}`);
    expect(faultOf(request, answer, false), `${request.operation}: ${answer.text}`).toBeNull();
  }
  for (const id of [LINKS[0], WEBHOOKS[0], KEYS[0], TEMPLATES[0], PAGES[0], NOTES[0]]) await make(id ?? "");
});

function credentialsOf(path: string): Record<string, string> {
  const { key } = path.includes("/imports") ? importer : mine;
  if (!FOR_PERSONS.test(path)) return { Authorization: `Bearer ${key}` };
  return { Cookie: world.cookies[0] ?? "", Origin: ORIGIN };
}

/** The path with the ids of the caller's resources. */
async function examplePath(path: string, slug: string): Promise<string> {
  const ids: Record<string, string> = {
    links: LINKS[0] ?? "",
    webhooks: WEBHOOKS[0] ?? "",
    listeners: LISTENER,
    keys: KEYS[0] ?? "",
    domains: EMPTY_DOMAIN,
    "utm-templates": TEMPLATES[0] ?? "",
    notes: NOTES[0] ?? "",
    teams: TEAM,
    "shared-pages": PAGES[0] ?? "",
    sessions: OTHER_SESSION,
    passkeys: PASSKEY,
    apps: GRANT,
  };
  const resource = Object.keys(ids).find((name) => path.includes(`/${name}/{id}`)) ?? "";
  const webhook = realIds.get(WEBHOOKS[0] ?? "") ?? "";
  const delivery = path.includes("{deliveryId}") ? await latestDelivery(service.isolates.first, mine.key, webhook) : "";
  if (path.includes("/imports/{id}")) return withImport(service.isolates.first, importer.key, path);
  if (/^\/api\/(jobs|bulk|exports)\/\{id\}/.test(path)) return withJob(service.isolates.first, mine.key, path);
  if (path === "/api/links/by-url") return `${path}?url=${encodeURIComponent(`${ORIGIN}/${slug}`)}`;
  return path
    .replace("{tag}", path.includes("{tag}") ? await createTag(service.isolates.first, mine.key) : "")
    .replace("{id}", ids[resource] ?? "")
    .replace("{deliveryId}", delivery)
    .replace("{token}", world.tokens[path.endsWith("/password") ? 2 : 1] ?? "")
    .replace("{userId}", COLLEAGUE)
    .replace("{invitationId}", INVITATION)
    .replace("{slug}", slug);
}

it(
  `responds to ${REQUESTS} requests as the document says, and refused requests change nothing (seed ${SEED})`,
  async () => {
    const requests = [
      ...eachOperation(document, world).flatMap((one, index) =>
        fc.sample(one, { numRuns: REQUESTS_EACH, seed: SEED * 1_000 + index }),
      ),
      ...fc.sample(requestsOf(document, world), { numRuns: REQUESTS, seed: SEED }),
    ];
    const statuses = new Map<number, number>();
    const called = new Set<string | null>();
    let changes = await countChanges(service.db);
    for (const request of requests) {
      called.add(request.operation);
      const { method, path, ...rest } = withRealIds(request);
      const answer = await service.isolates.first.request(method, path, rest);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      // A job goes on after its response.
      if (answer.status === 202) await settleJob(service.isolates.first, mine.key, answer);
      const before = changes;
      // To save time, a change by a read is only found after the next write.
      if (!isRead(method)) changes = await countChanges(service.db);
      const fault = faultOf(request, answer, changes !== before);
      if (fault !== null) expect.fail(`${fault}\n${shorten({ answer, request })}`);
      if (!isRead(method) && answer.status < 300 && "Cookie" in request.headers) {
        await restorePerson(service.db, person);
        changes = await countChanges(service.db);
      }
      if (request.method === "DELETE" && answer.status === 200) {
        const named = world.ids.filter((id) => `${request.path} ${request.body}`.includes(id));
        for (const id of named) if (!THEIRS.includes(id)) await make(id);
        changes = await countChanges(service.db);
      }
    }
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.filter((operation) => !called.has(operation))).toEqual([]);
    // Enough requests succeed, and enough are refused.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(REQUESTS / 20);
    expect(service.logLines.filter((line) => line.includes('"request_failed"'))).toEqual([]);
  },
  TIMEOUT_MS,
);

const isRead = (method: string) => method === "GET" || method === "HEAD";

/** Returns what is wrong with a response, or null. */
function faultOf(request: FuzzRequest, answer: Answer, changed: boolean): string | null {
  const { status, text } = answer;
  if (status >= 500) return "a server error";
  if (changed && status >= 400) return "a refused request, or a read before it, that changed something";
  if (text.includes(SECRET)) return "data of another account";
  if (answer.headers["x-request-id"] === undefined) return "no request id";
  if (request.operation === null || request.method === "HEAD") return null;
  const operation = operationOf(request.operation);
  const response = operation?.responses[String(status)];
  if (response === undefined) return "a status that the document does not have";
  return faultOfHeaders(check, response, answer) ?? faultOfBody(check, response, answer);
}

function operationOf(name: string) {
  const [method = "", path = ""] = name.split(" ");
  return document.paths[path]?.[method.toLowerCase()];
}
