import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { DAY_MS } from "../../../src/limits.ts";
import { call, createAccount, jsonOf, type ErrorJson, runCron } from "../../support/api.ts";
import { insertDomain } from "../../support/domains.ts";

const body = { url: "https://example.com/", title: "One" };

function create(key: string, idempotencyKey: string, fields: object = body): Promise<Response> {
  return call("POST", "/api/links", { key, body: fields, headers: { "Idempotency-Key": idempotencyKey } });
}

async function countLinks(): Promise<number | null> {
  return env.DB.prepare("SELECT count(*) AS links FROM links").first<number>("links");
}

it("creates one link for 40 parallel requests with one key and returns the same response to all", async () => {
  const { key } = await createAccount();
  const responses = await Promise.all(Array.from({ length: 40 }, () => create(key, "order-1")));
  const answers = new Set(await Promise.all(responses.map((response) => response.text())));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 201));
  expect(answers.size).toBe(1);
  expect(responses.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true")).toHaveLength(39);
  expect(await countLinks()).toBe(1);
});

it("returns the first response after the link was changed and deleted, also for the same JSON in another spelling", async () => {
  const { key } = await createAccount();
  const first = await jsonOf<{ link: { id: string } }>(await create(key, "k"));
  await call("PATCH", `/api/links/${first.link.id}`, { key, body: { title: "Two" } });
  await call("DELETE", `/api/links/${first.link.id}`, { key });
  const reordered = await create(key, "k", { title: "One", url: "https://example.com/" });
  expect(await jsonOf(reordered)).toEqual(first);
  expect(await countLinks()).toBe(0);
});

it("refuses the key with another body or another operation", async () => {
  const { key } = await createAccount();
  await create(key, "k");
  const other = await create(key, "k", { ...body, title: "Two" });
  expect({ status: other.status, code: (await jsonOf<ErrorJson>(other)).code }).toEqual({
    status: 409,
    code: "conflict",
  });
  const headers = { "Idempotency-Key": "k" };
  expect((await call("POST", "/api/shorten", { key, body: { url: body.url }, headers })).status).toBe(409);
  expect(await countLinks()).toBe(1);
});

it("returns the first response even if the request would now be refused", async () => {
  const { key, accountId } = await createAccount();
  await insertDomain(accountId, "go.example");
  const fields = { ...body, domain: "go.example" };
  const first = await (await create(key, "k", fields)).text();
  await env.DB.prepare("DELETE FROM domains").run();
  expect(await (await create(key, "k", fields)).text()).toBe(first);
  expect((await create(key, "another", fields)).status).toBe(403);
  expect((await create(key, "k", { ...fields, title: "Two" })).status).toBe(409);
});

it("separates the keys of accounts", async () => {
  const [mine, theirs] = [await createAccount(), await createAccount()];
  await create(mine.key, "k");
  expect((await create(theirs.key, "k", { url: "https://example.com/theirs" })).status).toBe(201);
});

it("does not store the response of a failed request", async () => {
  const { key } = await createAccount();
  await create(key, "first", { ...body, slug: "taken" });
  expect((await create(key, "second", { ...body, slug: "taken" })).status).toBe(409);
  expect((await create(key, "second", { ...body, slug: "free" })).status).toBe(201);
});

it("ignores a response after 24 hours, and the cron deletes it", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const start = Date.now();
  const { key } = await createAccount();
  const first = await (await create(key, "k")).text();
  vi.setSystemTime(start + DAY_MS - 1);
  expect(await (await create(key, "k")).text()).toBe(first);
  vi.setSystemTime(start + DAY_MS);
  expect(await (await create(key, "k", { url: "https://example.com/next" })).text()).not.toBe(first);
  expect(await countLinks()).toBe(2);
  const countStored = () => env.DB.prepare("SELECT count(*) AS n FROM idempotency_keys").first("n");
  await runCron(start + 2 * DAY_MS - 1);
  expect(await countStored()).toBe(1);
  await runCron(start + 2 * DAY_MS);
  expect(await countStored()).toBe(0);
});

it.each([
  ["", 400],
  ["x".repeat(256), 400],
  ["with space", 400],
  ["x".repeat(255), 201],
])("accepts 1 to 255 characters of visible ASCII (%#)", async (value, status) => {
  const { key } = await createAccount();
  expect((await create(key, value)).status).toBe(status);
});
