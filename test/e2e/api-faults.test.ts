import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { fails, holds, losesAnswers, FAILURE, INSIDE, type DatabaseHook } from "./support/database.ts";
import type { Answer } from "./support/http.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

let service: Service<"here">;
let here: Isolate;
let key: string;
let keyId: string;

beforeAll(async () => {
  service = await startService({ here: "one" });
  here = service.isolates.here;
});
beforeEach(async () => {
  here.onDatabase = undefined;
  ({ key, keyId } = await createAccount(service.db));
});
afterAll(() => service.stop());

const INSERT = /INSERT INTO links/;
const WRITE = /^(INSERT|UPDATE|DELETE)|;\s*(INSERT|UPDATE|DELETE)/;

/** Lets authentication succeed and fails all later statements. */
const failsAfterAuthentication: DatabaseHook = ({ moment, sql }) =>
  moment === "before" && !/api_keys WHERE hash|SET last_used_at/.test(sql.join(";")) ? { error: FAILURE } : undefined;

/** The contents of the database without the times at which keys were last used. */
async function contents(): Promise<unknown> {
  const tables = ["links", "api_keys", "idempotency_keys", "accounts", "webhooks", "domains", "deliveries"];
  const results = await service.db.batch(tables.map((table) => service.db.prepare(`SELECT * FROM ${table}`)));
  return results.map(({ results: rows }) => rows.map((row) => ({ ...(row as object), last_used_at: null })));
}

async function linksAt(slug: string): Promise<number> {
  return (await service.db
    .prepare("SELECT count(*) AS n FROM links WHERE slug = ?1")
    .bind(slug)
    .first<number>("n")) as number;
}

function expectFailure(answer: Answer): void {
  expect([500, 503]).toContain(answer.status);
  expect(answer.json()).toEqual({
    error: expect.any(String),
    code: answer.status === 503 ? "unavailable" : "internal",
  });
  if (answer.status === 503) expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expect(answer.headers["x-request-id"]).toBeTruthy();
  expect(answer.text + JSON.stringify(answer.headers)).not.toMatch(INSIDE);
}

const LINK = { url: "https://example.com/", title: "body-secret" };

it.each([
  ["POST", "/api/links", LINK],
  ["POST", "/api/shorten", { url: LINK.url }],
  ["GET", "/api/links", undefined],
  ["GET", "/api/links/:link", undefined],
  ["PATCH", "/api/links/:link", { title: "changed" }],
  ["DELETE", "/api/links/:link", undefined],
  ["POST", "/api/links/bulk", { links: [LINK, LINK] }],
  ["PATCH", "/api/links/bulk", { ids: [":link"], changes: { utm: { source: "changed" } } }],
  ["DELETE", "/api/links/bulk", { ids: [":link"] }],
  ["PUT", "/api/links/upsert", { ...LINK, externalId: "fault" }],
  ["PATCH", "/api/deep-links/links/:link", { ios: "acme://changed" }],
  ["GET", "/api/links/:link/clicks", undefined],
  ["GET", "/api/links/:link/qr", undefined],
  ["POST", "/api/domains/add", { domain: "fault.acme.com" }],
  ["GET", "/api/domains", undefined],
  ["POST", "/api/webhooks", { url: "https://hooks.acme.com/", events: ["link.create"] }],
  ["GET", "/api/webhooks", undefined],
  ["POST", "/api/keys", { name: "another" }],
  ["GET", "/api/keys", undefined],
  ["DELETE", "/api/keys/:key", undefined],
])("%s %s returns a regular error and changes nothing if the database fails", async (method, path, body) => {
  const { id } = await createLink(here, key, LINK);
  const target = path.replace(":link", id).replace(":key", keyId);
  const sent = body && (JSON.parse(JSON.stringify(body).replace(":link", id)) as object);
  const before = await contents();
  const lines = service.logLines.length;
  const headers: Record<string, string> = /keys|webhooks/.test(path) ? {} : { "Idempotency-Key": "key-secret" };
  for (const hook of [fails, failsAfterAuthentication]) {
    here.onDatabase = hook;
    expectFailure(await callApi(here, key, method, `${target}?`, sent, headers));
  }
  here.onDatabase = undefined;
  expect(await contents()).toEqual(before);

  // The log has the details of the failure and no secrets.
  await expect.poll(() => service.logLines.slice(lines).join("\n"), { timeout: 20_000 }).toContain("request_failed");
  const logged = service.logLines.slice(lines).join("\n");
  expect(logged).not.toContain(key);
  expect(logged).not.toMatch(/svc_sk_|secret/);
});

it.each([undefined, "order-1"])(
  "creates a link after the database has recovered (Idempotency-Key: %s)",
  async (idempotencyKey) => {
    const headers: Record<string, string> = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    const slug = `back-${idempotencyKey}`;
    const create = () => callApi(here, key, "POST", "/api/links", { ...LINK, slug }, headers);
    for (const hook of [fails, failsAfterAuthentication]) {
      here.onDatabase = hook;
      expectFailure(await create());
    }
    here.onDatabase = undefined;
    const made = await create();
    expect(made.status).toBe(201);
    expect(await linksAt(slug)).toBe(1);
    const again = await create();
    expect(again.status).toBe(idempotencyKey === undefined ? 409 : 201);
    if (idempotencyKey !== undefined) expect(again.json()).toEqual(made.json());
    expect(await linksAt(slug)).toBe(1);
  },
);

it.each([
  [1, undefined],
  [2, undefined],
  [1, "lost-1"],
  [2, "lost-2"],
])(
  "creates one link if the response to its insert is lost %i times (Idempotency-Key: %s)",
  async (times, idempotencyKey) => {
    const headers: Record<string, string> = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    const slug = `lost-${times}-${idempotencyKey}`;
    here.onDatabase = losesAnswers(INSERT, times);
    const answer = await callApi(here, key, "POST", "/api/links", { ...LINK, slug }, headers);
    expect(answer.status).toBe(201);
    expect(answer.headers["idempotent-replayed"]).toBeUndefined();
    expect(await linksAt(slug)).toBe(1);
    const { id } = (answer.json() as { link: { id: string } }).link;
    expect((await callApi(here, key, "GET", `/api/links/${id}`)).status).toBe(200);
  },
);

it("creates one link if all responses are lost and the client retries with its Idempotency-Key", async () => {
  const create = () =>
    callApi(here, key, "POST", "/api/links", { ...LINK, slug: "all-lost" }, { "Idempotency-Key": "all-lost" });
  here.onDatabase = losesAnswers(INSERT, 3);
  const lost = await create();
  expectFailure(lost);
  expect(lost.status).toBe(503);
  here.onDatabase = undefined;
  const found = await create();
  expect(found.status).toBe(201);
  expect(found.headers["idempotent-replayed"]).toBe("true");
  expect(await linksAt("all-lost")).toBe(1);
});

it("creates one key if the response to its insert is lost", async () => {
  here.onDatabase = losesAnswers(/INSERT INTO api_keys/, 1);
  const answer = await callApi(here, key, "POST", "/api/keys", { name: "lost" });
  expect(answer.status).toBe(201);
  const { value } = (answer.json() as { key: { value: string } }).key;
  const listed = await callApi(here, value, "GET", "/api/keys");
  expect((listed.json() as { keys: { name: string }[] }).keys.filter(({ name }) => name === "lost")).toHaveLength(1);
});

it("waits for a slow database and then creates one link", async () => {
  const hold = holds("before", WRITE);
  here.onDatabase = hold.hook;
  const pending = callApi(here, key, "POST", "/api/links", { ...LINK, slug: "slow" });
  await hold.held;
  expect(await linksAt("slow")).toBe(0);
  hold.release();
  expect((await pending).status).toBe(201);
  expect(await linksAt("slow")).toBe(1);
});

it("keeps the destination if an update or a deletion fails", async () => {
  const { id } = await createLink(here, key, { ...LINK, slug: "unchanged" });
  here.onDatabase = failsAfterAuthentication;
  expectFailure(await callApi(here, key, "PATCH", `/api/links/${id}`, { url: "https://example.com/new" }));
  expectFailure(await callApi(here, key, "DELETE", `/api/links/${id}`));
  here.onDatabase = undefined;
  expect((await here.get("/unchanged")).headers["location"]).toBe(LINK.url);
});
