import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { MAX_UTM_TEMPLATES_PER_ACCOUNT } from "../../../src/limits.ts";
import type { UtmTemplate } from "../../../src/links/utm-templates/contract.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";

const UTM = { source: "newsletter", medium: "email" };

type Answer = { status: number; template: UtmTemplate; templates: UtmTemplate[]; nextCursor: string } & ErrorJson;

async function api(key: string, method: string, path = "", body?: unknown): Promise<Answer> {
  const response = await call(method, `/api/utm-templates${path}`, { key, body });
  return { status: response.status, ...(await jsonOf<Omit<Answer, "status">>(response)) };
}

const create = (key: string, name: string, utm: object = UTM) => api(key, "POST", "", { name, utm });

const dump = async () => (await env.DB.prepare("SELECT * FROM utm_templates").all()).results;

/** Adds templates by SQL. */
async function insertTemplates(accountId: number, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => newId(1_000_000_000_000 + n));
  await env.DB.prepare(
    `INSERT INTO utm_templates (id, account_id, name, name_key, utm, created_at, updated_at)
     SELECT value, ?2, value, value, '{"source":"x"}', 1, 1 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(ids), accountId)
    .run();
}

it("creates, lists, changes and deletes templates, and links take their parameters", async () => {
  const { key } = await createAccount();
  vi.useFakeTimers({ toFake: ["Date"], now: 1_900_000_000_000 });
  const { status, template } = await create(key, "  Cafe\u0301 ", UTM);
  expect([status, template]).toEqual([
    201,
    { id: expect.any(String), name: "Café", utm: UTM, createdAt: Date.now(), updatedAt: Date.now() },
  ]);
  vi.setSystemTime(1_900_000_000_001);
  const other = (await create(key, "Poster", { campaign: "spring & summer" })).template;
  vi.setSystemTime(1_900_000_000_002);
  const third = (await create(key, "Third")).template;
  const first = await api(key, "GET", "?limit=2");
  expect(first.templates).toEqual([third, other]);
  expect(await api(key, "GET", `?limit=2&cursor=${first.nextCursor}`)).toEqual({
    status: 200,
    templates: [template],
    nextCursor: null,
  });

  const renamed = await api(key, "PATCH", `/${template.id}`, { name: "CAFÉ" });
  expect(renamed.template).toEqual({ ...template, name: "CAFÉ", updatedAt: 1_900_000_000_002 });
  // A change replaces all parameters, and the version increases although the clock stands still.
  const changed = await api(key, "PATCH", `/${template.id}`, { utm: { term: "x" } });
  expect(changed.template).toEqual({ ...renamed.template, utm: { term: "x" }, updatedAt: 1_900_000_000_003 });
  // What changes nothing is no change.
  expect(await api(key, "PATCH", `/${template.id}`, { name: "CAFÉ", utm: { term: "x" } })).toEqual(changed);

  const link = await createLink(key, { url: "https://example.com/?a=b", utm: other.utm });
  expect(link.url).toBe("https://example.com/?a=b&utm_campaign=spring%20%26%20summer");
  expect(await api(key, "DELETE", `/${other.id.toUpperCase()}`)).toEqual({ status: 200, success: true });
  expect((await api(key, "GET")).templates.map(({ id }) => id)).toEqual([third.id, template.id]);
  expect((await api(key, "DELETE", `/${other.id}`)).status).toBe(404);
});

it("has each name once in an account, without regard to case, also under concurrent requests", async () => {
  const { key } = await createAccount();
  const stranger = await createAccount();
  const names = ["Straße", "STRASSE", "strasse", "Straße"];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => create(key, names[n % 4] ?? "")));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(39);
  for (const { code, details } of refused)
    expect([code, details]).toMatchObject(["conflict", [{ path: "name", code: "taken" }]]);
  expect((await create(stranger.key, "strasse")).status).toBe(201);
  const other = (await create(key, "Other")).template;
  const before = await dump();
  expect(await api(key, "PATCH", `/${other.id}`, { name: "STRASSE", utm: { term: "lost?" } })).toMatchObject({
    status: 409,
    code: "conflict",
  });
  expect(await dump()).toEqual(before);
});

it(`keeps at most ${MAX_UTM_TEMPLATES_PER_ACCOUNT} templates of an account, exactly so under concurrent requests`, async () => {
  const { key, accountId } = await createAccount();
  const other = await createAccount();
  await insertTemplates(other.accountId, 500);
  await insertTemplates(accountId, MAX_UTM_TEMPLATES_PER_ACCOUNT - 15);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => create(key, `Parallel ${n}`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(15);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const { status, code } of refused) expect([status, code]).toEqual([409, "limit_reached"]);
  expect(refused).toHaveLength(25);
  // A name that is taken is named, although there is no room either.
  expect(await create(key, answers.find(({ status }) => status === 201)?.template.name ?? "")).toMatchObject({
    code: "conflict",
  });
  const usage = await jsonOf(await call("GET", "/api/usage", { key }));
  expect(usage).toMatchObject({ usage: { utmTemplates: { used: 100, limit: MAX_UTM_TEMPLATES_PER_ACCOUNT } } });
  const [newest] = (await api(key, "GET")).templates;
  expect((await api(key, "DELETE", `/${newest?.id}`)).status).toBe(200);
  expect((await create(key, "Room again")).status).toBe(201);
});

it("reads and writes as many rows whatever other accounts have", async () => {
  const { key, accountId } = await createAccount();
  const other = await createAccount();
  await insertTemplates(accountId, 10);
  const costs = [];
  for (const others of [1, 2_000]) {
    await insertTemplates(other.accountId, others);
    await env.DB.prepare("ANALYZE").run();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    await api(key, "GET");
    let id = "";
    const measured = [
      await measureD1(async () => ({ id } = (await create(key, `Measured ${others}`)).template)),
      await measureD1(() => api(key, "PATCH", `/${id}`, { name: `Changed ${others}`, utm: { term: "x" } })),
      await measureD1(() => api(key, "GET", "?limit=5")),
      await measureD1(() => api(key, "DELETE", `/${id}`)),
    ];
    vi.useRealTimers();
    costs.push(measured.map(({ roundTrips, rowsRead, rowsWritten }) => ({ roundTrips, rowsRead, rowsWritten })));
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]).toEqual([
    { roundTrips: 2, rowsRead: 15, rowsWritten: 3 },
    { roundTrips: 2, rowsRead: 4, rowsWritten: 2 },
    { roundTrips: 2, rowsRead: 7, rowsWritten: 0 },
    { roundTrips: 2, rowsRead: 3, rowsWritten: 1 },
  ]);
});

it.each([
  [{ utm: UTM }, "name"],
  [{ name: "x" }, "utm"],
  [{ name: " ", utm: UTM }, "name"],
  [{ name: "x".repeat(101), utm: UTM }, "name"],
  [{ name: "a\u0000b", utm: UTM }, "name"],
  [{ name: "x", utm: {} }, "utm"],
  [{ name: "x", utm: { source: "" } }, "utm.source"],
  [{ name: "x", utm: { source: "y".repeat(256) } }, "utm.source"],
  [{ name: "x", utm: { source: "y", channel: "z" } }, "utm.channel"],
  [{ name: "x", utm: UTM, id: "1" }, "id"],
])("refuses %j, naming %s", async (body, path) => {
  const { key } = await createAccount();
  expect(await api(key, "POST", "", body)).toMatchObject({ status: 400, details: [{ path }] });
});

it("keeps accounts apart, and changes nothing in a request that it refuses", async () => {
  const [mine, theirs] = [await createAccount(), await createAccount()];
  const { template } = await create(mine.key, "Mine");
  const before = await dump();
  expect((await api(theirs.key, "GET")).templates).toEqual([]);
  const calls = [
    [theirs.key, "PATCH", `/${template.id}`, { name: "Theirs" }, 403],
    [theirs.key, "DELETE", `/${template.id}`, undefined, 403],
    [mine.key, "PATCH", "/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", { name: "x" }, 404],
    [mine.key, "PATCH", "/nothing", { name: "x" }, 404],
    [mine.key, "DELETE", "/nothing", undefined, 404],
    [mine.key, "PATCH", `/${template.id}`, {}, 400],
    [mine.key, "PATCH", `/${template.id}`, { name: null }, 400],
    [mine.key, "GET", `/${template.id}`, undefined, 405],
  ] as const;
  for (const [key, method, path, body, status] of calls)
    expect([method, path, (await api(key, method, path, body)).status]).toEqual([method, path, status]);
  const again = await call("POST", "/api/utm-templates", {
    key: mine.key,
    body: { name: "x", utm: UTM },
    headers: { "Idempotency-Key": "1" },
  });
  expect(again.status).toBe(400);
  expect(await dump()).toEqual(before);
});
