import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { forgetTakenDownHosts } from "#src/redirect/lookup/taken-down-hosts.ts";
import { packVerdict } from "#src/redirect/verdict.ts";
import * as bulk from "../../links/bulk-jobs/support.ts";
import * as imports from "../../moving/imports/support.ts";
import { call, createAccount, createLink, jsonOf, send, buildRequest, type ErrorJson } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { addEntries, setBinding, useScreening } from "./support.ts";

const BAD = "https://login.evil.dev/account";
const GOOD = "https://example.com/";

let key: string;
let accountId: number;
beforeEach(async () => {
  ({ key, accountId } = await createAccount());
});

const list = () => addEntries(["host evil.dev"]);

async function takeDownHost(): Promise<void> {
  const imposed = packVerdict({ state: "blocked", reason: "phishing", since: 1 }, false);
  await env.DB.prepare(
    `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by)
     VALUES ('t', 'host', 'evil.dev', 'evil.dev', ?1, 1, 'u')`,
  )
    .bind(imposed)
    .run();
  forgetTakenDownHosts();
}

async function errorOf(method: string, path: string, body?: object, headers = {}): Promise<[number, string, string[]]> {
  const response = await call(method, path, { key, body, headers });
  const { code, details = [] } = await jsonOf<ErrorJson>(response);
  return [response.status, code, details.map((detail) => detail.path)];
}

const countLinks = () => env.DB.prepare("SELECT count(*) FROM links").first<number>("count(*)");

const FIELDS: [path: string, fields: object][] = [
  ["url", { url: BAD }],
  ["expiredUrl", { url: GOOD, expiredUrl: BAD }],
  ["ios", { url: GOOD, ios: BAD }],
  ["android", { url: GOOD, android: BAD }],
  ["geo.DE", { url: GOOD, geo: { FR: GOOD, DE: BAD } }],
  [
    "rules.1.url",
    {
      url: GOOD,
      rules: [
        { url: GOOD, devices: ["mobile"] },
        { url: BAD, countries: ["DE"] },
      ],
    },
  ],
];

describe.each([
  ["that is listed", "on", list],
  ["whose host is taken down, without screening", "", takeDownHost],
])("a destination %s", (_, screening, block) => {
  beforeEach(() => setBinding("SCREENING", screening));
  afterEach(() => setBinding("SCREENING", ""));

  it.each(FIELDS)("in %s is refused when a link is created, changed or upserted", async (path, fields) => {
    const { id } = await createLink(key, { externalId: "x" });
    await block();
    const refused = [400, "destination_blocked", [path]];
    expect(await errorOf("POST", "/api/links", fields)).toEqual(refused);
    expect(await errorOf("PATCH", `/api/links/${id}`, fields)).toEqual(refused);
    expect(await errorOf("PUT", "/api/links/upsert", { ...fields, externalId: "x" })).toEqual(refused);
    expect(await errorOf("PUT", "/api/links/upsert", { ...fields, externalId: "y" })).toEqual(refused);
    expect(await countLinks()).toBe(1);
  });

  it("is refused without a key", async () => {
    await block();
    expect((await call("POST", "/api/shorten", { body: { url: BAD } })).status).toBe(400);
    expect((await call("POST", "/api/shorten", { body: { url: GOOD } })).status).toBe(201);
  });

  it("is refused in bulk, and the other links are created", async () => {
    await block();
    const links = [
      { url: GOOD, slug: "one" },
      { url: BAD, slug: "two" },
      { url: `${GOOD}3`, slug: "two" },
    ];
    const first = await call("POST", "/api/links/bulk", { key, body: { links }, headers: { "Idempotency-Key": "k" } });
    const { results } = await jsonOf<{ results: { link?: { slug: string; url: string }; code?: string }[] }>(first);
    expect(results).toMatchObject([
      { link: { slug: "one" } },
      { code: "destination_blocked", details: [{ path: "url" }] },
      { link: { slug: "two", url: `${GOOD}3` } },
    ]);
    const ids = await env.DB.prepare("SELECT id FROM links ORDER BY slug").all<{ id: string }>();
    const changes = { ids: ids.results.map(({ id }) => id), changes: { expiredUrl: BAD } };
    const changed = await jsonOf<{ results: { code: string }[] }>(
      await call("PATCH", "/api/links/bulk", { key, body: changes }),
    );
    expect(changed.results.map(({ code }) => code)).toEqual(["destination_blocked", "destination_blocked"]);
  });

  it("does not change the answer to a request that is repeated", async () => {
    const create = () =>
      call("POST", "/api/links", { key, body: { url: BAD, slug: "once" }, headers: { "Idempotency-Key": "one" } });
    const links = [{ url: BAD }, { url: GOOD }];
    const inBulk = () =>
      call("POST", "/api/links/bulk", { key, body: { links }, headers: { "Idempotency-Key": "bulk" } });
    const before = [await (await create()).json(), await (await inBulk()).json()];
    await block();
    expect([await (await create()).json(), await (await inBulk()).json()]).toEqual(before);
    expect(await countLinks()).toBe(3);
  });

  it("is not restored, and a job that is undone does not bring it back", async () => {
    const { id } = await createLink(key, { url: BAD, slug: "deleted" });
    const other = await createLink(key, { url: BAD, slug: "changed" });
    await call("DELETE", `/api/links/${id}`, { key });
    const job = await bulk.runJob(key, { ids: [other.id], changes: { url: GOOD } });
    await block();
    expect(await errorOf("POST", `/api/links/${id}/restore`)).toEqual([400, "destination_blocked", ["url"]]);
    expect(await bulk.undoJob(key, job.id)).toMatchObject({ undone: 0, notUndone: 1 });
    expect(await env.DB.prepare("SELECT url FROM links").first("url")).toBe(GOOD);
  });

  it("is refused by bulk jobs and imports", async () => {
    const { id } = await createLink(key);
    await block();
    const job = await bulk.runJob(key, { ids: [id], changes: { url: BAD } });
    expect(job).toMatchObject({ changed: 0, failed: 1 });
    expect(await bulk.failuresOf(key, job.id)).toEqual([`${id},blocked`]);
    const file = imports.csvOf(["url", "slug"], [GOOD, "fine"], [BAD, "bad"], [`${GOOD}2`, "fine-2"]);
    const prepared = await imports.prepare(key, file);
    expect(await imports.finish(key, prepared.id)).toMatchObject({ created: 2, failed: 1 });
    expect((await imports.failuresOf(key, prepared.id)).join()).toContain(",blocked,");
  });

  it("is refused for a domain's own URLs", async () => {
    const id = await insertDomain(accountId, "go.acme.com");
    await block();
    for (const path of ["rootUrl", "notFoundUrl"])
      expect(await errorOf("PATCH", `/api/domains/${id}`, { [path]: BAD })).toEqual([
        400,
        "destination_blocked",
        [path],
      ]);
    expect((await call("PATCH", `/api/domains/${id}`, { key, body: { rootUrl: GOOD } })).status).toBe(200);
  });
});

describe("screening", () => {
  useScreening();

  const failing = (screen: () => Promise<never>) =>
    ({ SCREENER: { getByName: () => ({ screen }) } }) as unknown as Partial<Env>;
  const create = (bindings: Partial<Env>, url = BAD) =>
    send(buildRequest("POST", "/api/links", { key, body: { url } }), bindings);

  it("that fails or is silent refuses nothing", async () => {
    await list();
    expect((await create(failing(() => Promise.reject(new Error("overloaded"))))).status).toBe(201);
    expect((await create(failing(() => new Promise(() => undefined)))).status).toBe(201);
    expect((await create({})).status).toBe(400);
  });

  it("that is on refuses a destination that carries more URLs than are read, unless an operator allows it", async () => {
    const url = `${GOOD}?${Array.from({ length: 9 }, (_, number) => `u=https://host${number}.example.com`).join("&")}`;
    const response = await call("POST", "/api/links", { key, body: { url } });
    const fault = { path: "url", code: "too_many_nested_urls", max: 8, maxHosts: 64, maxDepth: 3 };
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "destination_blocked", details: [fault] },
    ]);
    await addEntries([`host ${new URL(GOOD).hostname}`, "allow"]);
    expect((await call("POST", "/api/links", { key, body: { url } })).status).toBe(201);
  });

  it("that is off makes no call, and that is on reads no row of the database", async () => {
    await list();
    const costOf = async (bindings: object, url: string) => {
      const { roundTrips, rowsRead, rowsWritten } = await measureD1(async () => {
        expect((await create(bindings, url)).status).toBe(201);
      });
      return { roundTrips, rowsRead, rowsWritten };
    };
    // Creations in the same second read as much as each other.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    await createLink(key);
    const cost = await costOf({ SCREENING: "", SCREENER: undefined }, BAD);
    expect(await costOf({}, GOOD)).toEqual(cost);
  });

  it("refuses a URL that a campaign makes", async () => {
    const { id } = await createLink(key, { url: "https://shop.dev/?a=1" });
    await addEntries(["url shop.dev/?a=1&utm_source=x"]);
    expect(await errorOf("PATCH", `/api/links/${id}`, { utm: { source: "x" } })).toEqual([
      400,
      "destination_blocked",
      ["url"],
    ]);
  });
});
