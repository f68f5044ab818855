import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { toJsonPieces } from "../../../src/platform/database/json-pieces.ts";
import { DAY_MS } from "../../../src/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink, runCron, type ErrorJson } from "../../support/api.ts";
import { interceptD1 } from "../../support/d1-client.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { insertDomain } from "../../support/domains.ts";
import { loseFirstResponse } from "../../support/lost-responses.ts";
import { countRows } from "../../webhooks/support.ts";
import { URL_OK } from "../../links/support.ts";
import { MAX_RESPONSE_PIECE_BYTES, RANDOM_SLUG_CHARS } from "../../../src/links/limits.ts";

function create(key: string, links: unknown[], idempotencyKey = "k"): Promise<Response> {
  return call("POST", "/api/links/bulk", { key, body: { links }, headers: { "Idempotency-Key": idempotencyKey } });
}

async function seen(response: Response) {
  return { status: response.status, text: await response.text() };
}

const isReplay = (response: Response) => response.headers.get("Idempotent-Replayed") === "true";

/** Links that are created and links that are refused, for each reason. */
async function prepare(): Promise<{ key: string; links: object[] }> {
  const { key, accountId } = await createAccount();
  await insertDomain(accountId, "go.example");
  await createLink(key, { slug: "taken", externalId: "taken" });
  await call("POST", "/api/webhooks", { key, body: { url: "https://hooks.receiver.dev/in", events: ["link.create"] } });
  const links = [
    { url: URL_OK },
    { url: URL_OK, slug: "one", title: "Ä \u2028", geo: { US: URL_OK, DE: URL_OK }, password: "secret word" },
    { url: "https://a..b/" },
    { url: URL_OK, slug: "TAKEN" },
    { url: URL_OK, externalId: "taken" },
    { url: URL_OK, domain: "not.mine.example" },
    { url: "https://go.example/loop", expiredUrl: URL_OK },
    { url: URL_OK, slug: "ONE" },
    { url: URL_OK, sulg: "x", password: "typo in the slug" },
    { url: URL_OK, slug: "at-domain", domain: "go.example" },
  ];
  return { key, links };
}

const CREATED = 3;

async function expectCreatedOnce(links: object[], text: string): Promise<void> {
  const { results } = JSON.parse(text) as { results: ({ link: Link } & ErrorJson)[] };
  expect(results).toHaveLength(links.length);
  expect(results.map(({ link, code }) => (link === undefined ? code : link.slug.replace(/^\w{7}$/, "random")))).toEqual(
    [
      "random",
      "one",
      "invalid_request",
      "conflict",
      "conflict",
      "forbidden",
      "invalid_request",
      "conflict",
      "invalid_request",
      "at-domain",
    ],
  );
  expect(await countRows("links")).toBe(1 + CREATED);
  expect(await countRows("deliveries")).toBe(CREATED);
}

afterEach(() => vi.restoreAllMocks());

it("returns the first response, with the errors of items, after the links were changed and deleted", async () => {
  const { key, links } = await prepare();
  const first = await create(key, links);
  expect(isReplay(first)).toBe(false);
  const answer = await seen(first);
  await expectCreatedOnce(links, answer.text);
  const ids = (JSON.parse(answer.text) as { results: { link?: Link }[] }).results.flatMap(({ link }) => link?.id ?? []);
  await call("PATCH", "/api/links/bulk", { key, body: { ids, changes: { title: "later" } } });
  await call("DELETE", "/api/links/bulk", { key, body: { ids } });
  const reordered = links.map((link) => Object.fromEntries(Object.entries(link).toReversed()));
  reordered[8] = links[8] as object; // An invalid item has no validated form.
  const again = await create(key, reordered);
  expect(isReplay(again)).toBe(true);
  expect(await seen(again)).toEqual(answer);
  expect(await countRows("links")).toBe(1);
  for (const other of [links.slice(1), links.with(1, { ...links[1], password: "other word" }), links.toReversed()])
    expect((await create(key, other)).status).toBe(409);
  const headers = { "Idempotency-Key": "k" };
  expect((await call("POST", "/api/links", { key, body: links[0], headers })).status).toBe(409);
  expect((await create((await createAccount()).key, [{ url: URL_OK }])).status).toBe(200);
});

it("creates once for 40 parallel requests with one key, with one event a link and one response", async () => {
  const { key, links } = await prepare();
  const responses = await Promise.all(Array.from({ length: 40 }, () => create(key, links)));
  expect(responses.filter((response) => !isReplay(response))).toHaveLength(1);
  const answers = new Set((await Promise.all(responses.map(seen))).map(({ text }) => text));
  expect(answers.size).toBe(1);
  await expectCreatedOnce(links, [...answers][0] ?? "");
});

it("accepts one of several parallel requests that differ", async () => {
  const { key } = await createAccount();
  const bodies = Array.from({ length: 20 }, (_, n) => [{ url: `${URL_OK}${n % 2}` }, { url: n % 2 === 0 ? 1 : 2 }]);
  const responses = await Promise.all(bodies.map((links) => create(key, links)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(10);
  expect(await countRows("links")).toBe(1);
});

/**
 * Runs `run` while every call of the database that concerns idempotency fails from the one with the number `from` on.
 * `commits`: that one is committed. The calls are: the stored response, the attempts to create the links, the response.
 */
async function crashAt(from: number, commits: boolean, run: () => Promise<unknown>): Promise<void> {
  let calls = 0;
  await interceptD1(async (sql, send) => {
    if (!String(sql).includes("idempotency_")) return send();
    calls++;
    const output = calls < from || (calls === from && commits) ? await send() : undefined;
    if (calls >= from) throw new Error("the isolate is gone");
    return output;
  }, run);
}

it.each([
  [1, true, "before it did anything"],
  [2, false, "before the links were created"],
  [2, true, "after the links were created"],
  [3, false, "before the response was stored"],
  [3, true, "after the response was stored"],
])("continues a request that was cut off at call %i (committed: %s), %s", async (from, commits) => {
  const { key, links } = await prepare();
  vi.useFakeTimers({ toFake: ["Date"] });
  const expiring = [...links, { url: URL_OK, slug: "soon", expiresAt: Date.now() + 1_000 }];
  await crashAt(from, commits, async () => expect((await create(key, expiring)).status).toBe(500));
  const wereCreated = (await countRows("links")) > 1;
  expect(wereCreated).toBe(from === 3 || (from === 2 && commits));
  // What the first request found no longer holds.
  vi.setSystemTime(Date.now() + 500);
  await env.DB.prepare("DELETE FROM links WHERE slug IN ('taken', 'one')").run();
  if (wereCreated) vi.setSystemTime(Date.now() + 2_000);
  const responses = await Promise.all(Array.from({ length: 5 }, () => create(key, expiring)));
  const answers = new Set((await Promise.all(responses.map(seen))).map(({ text }) => text));
  expect(answers.size).toBe(1);
  const { results } = JSON.parse([...answers][0] ?? "") as { results: ({ link?: Link } & ErrorJson)[] };
  expect(results).toHaveLength(11);
  const created = results.flatMap(({ link }) => link?.slug ?? []);
  // The deleted links were in the way if the first request had come that far.
  expect(created.length).toBe(wereCreated ? 4 : 6);
  expect(await countRows("links")).toBe(wereCreated ? 3 : 6);
  expect(await countRows("deliveries")).toBe(created.length);
});

it.each(["INSERT INTO links", "SELECT ?1, ?2, 0, ?3"])(
  "creates once if the response of the database to %s is lost",
  async (sql) => {
    const { key, links } = await prepare();
    let text = "";
    const sent = await loseFirstResponse(sql, async () => (text = (await seen(await create(key, links))).text));
    expect(sent).toBe(2);
    await expectCreatedOnce(links, text);
    expect((await seen(await create(key, links))).text).toBe(text);
  },
);

it("tries random slugs again, and a repeated request follows each attempt", async () => {
  const { key } = await createAccount();
  const original = crypto.getRandomValues.bind(crypto);
  let fixed = 3; // The slugs of the first three links are equal.
  vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    const isSlug = array instanceof Uint8Array && array.byteLength === RANDOM_SLUG_CHARS;
    if (isSlug && fixed-- > 0) array.fill(1);
    else original(array);
    return array;
  });
  const links = [{ url: `${URL_OK}1` }, { url: `${URL_OK}2` }, { url: `${URL_OK}3` }];
  // After the first attempt, which creates one link.
  await crashAt(3, false, async () => expect((await create(key, links)).status).toBe(500));
  expect(await countRows("links")).toBe(1);
  const responses = await Promise.all(Array.from({ length: 10 }, () => create(key, links)));
  const answers = new Set((await Promise.all(responses.map(seen))).map(({ text }) => text));
  expect([answers.size, await countRows("links")]).toEqual([1, 3]);
});

it("keeps a response of several megabytes in pieces, until the cron deletes them after a day", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const start = Date.now();
  const { key } = await createAccount();
  const path = "é".repeat(1_200);
  const geo = Object.fromEntries(
    ["DE", "FR", "US", "GB", "AT", "CH", "IT", "ES"].map((country) => [country, URL_OK + path]),
  );
  const links = Array.from({ length: 100 }, () => ({ url: URL_OK, geo }));
  const first = await seen(await create(key, links));
  expect(first.text.length).toBeGreaterThan(900_000);
  const sizes = async () =>
    (
      await env.DB.prepare("SELECT length(CAST(text AS BLOB)) AS n FROM idempotency_pieces").all<{ n: number }>()
    ).results.map(({ n }) => n);
  expect((await sizes()).filter((size) => size > MAX_RESPONSE_PIECE_BYTES)).toEqual([]);
  expect((await sizes()).length).toBeGreaterThanOrEqual(1 + 2);
  expect(await seen(await create(key, links))).toEqual(first);
  vi.setSystemTime(start + DAY_MS);
  const next = await create(key, [{ url: URL_OK }]);
  expect([next.status, isReplay(next)]).toEqual([200, false]);
  expect((await sizes()).length).toBe(2);
  await runCron(start + 2 * DAY_MS - 1);
  expect((await sizes()).length).toBe(2);
  await runCron(start + 2 * DAY_MS);
  expect([await countRows("idempotency_keys"), await countRows("idempotency_pieces")]).toEqual([0, 0]);
});

it("reads and writes a number of rows that depends only on the number of links", async () => {
  const { key } = await createAccount();
  vi.useFakeTimers({ toFake: ["Date"] });
  await call("GET", "/api/keys", { key });
  const links = Array.from({ length: 10 }, (_, n) => ({ url: URL_OK, slug: `c-${n}`, externalId: `e-${n}` }));
  const first = await measureD1(() => create(key, links));
  const again = await measureD1(() => create(key, links));
  expect([first.roundTrips, again.roundTrips, again.rowsWritten]).toEqual([4, 2, 0]);
  // The links, the usage of the account, the key with its index, the record of the attempt and the response.
  expect(first.rowsWritten).toBe(10 * 5 + 1 + 2 + 1 + 1);
  expect(again.rowsRead).toBeLessThanOrEqual(4);
});

it("splits JSON arrays without losing or joining an item", () => {
  const items = ["é".repeat(10), { a: 1 }, "x".repeat(40), null];
  expect(toJsonPieces(items, 30).flatMap((piece) => JSON.parse(piece) as unknown[])).toEqual(items);
});
