import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { call, createAccount, jsonOf, type ErrorJson, runCron } from "../support/api.ts";

const DAY_MS = 86_400_000;
const body = { url: "https://example.com/", title: "One" };

function create(key: string, idempotencyKey: string, fields: object = body): Promise<Response> {
  return call("POST", "/api/links", { key, body: fields, headers: { "Idempotency-Key": idempotencyKey } });
}

async function countLinks(): Promise<number | null> {
  return env.DB.prepare("SELECT count(*) AS links FROM links").first<number>("links");
}

it("makes one link of 40 parallel requests with one key and answers all of them alike", async () => {
  const { key } = await createAccount();
  const responses = await Promise.all(Array.from({ length: 40 }, () => create(key, "order-1")));
  const answers = new Set(await Promise.all(responses.map((response) => response.text())));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 201));
  expect(answers.size).toBe(1);
  expect(responses.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true")).toHaveLength(39);
  expect(await countLinks()).toBe(1);
});

it("gives the first answer again, whatever became of the link, to the same body in another spelling", async () => {
  const { key } = await createAccount();
  const first = await jsonOf<{ link: { id: string } }>(await create(key, "k"));
  await call("PATCH", `/api/links/${first.link.id}`, { key, body: { title: "Two" } });
  await call("DELETE", `/api/links/${first.link.id}`, { key });
  const reordered = await create(key, "k", { title: "One", url: "https://example.com/" });
  expect(await jsonOf(reordered)).toEqual(first);
  expect(await countLinks()).toBe(0);
});

it("refuses the key with another body or on another operation", async () => {
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

it("gives the first answer also where the request would now be refused", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { key } = await createAccount();
  const fields = { ...body, expiresAt: Date.now() + 1_000 };
  const first = await (await create(key, "k", fields)).text();
  vi.setSystemTime(Date.now() + 2_000);
  expect(await (await create(key, "k", fields)).text()).toBe(first);
  expect((await create(key, "another", fields)).status).toBe(400);
  expect((await create(key, "k", { ...fields, title: "Two" })).status).toBe(409);
});

it("keeps accounts apart", async () => {
  const [mine, theirs] = [await createAccount(), await createAccount()];
  await create(mine.key, "k");
  expect((await create(theirs.key, "k", { url: "https://example.com/theirs" })).status).toBe(201);
});

it("keeps no answer of a request that failed", async () => {
  const { key } = await createAccount();
  await create(key, "first", { ...body, slug: "taken" });
  expect((await create(key, "second", { ...body, slug: "taken" })).status).toBe(409);
  expect((await create(key, "second", { ...body, slug: "free" })).status).toBe(201);
});

it("forgets an answer after 24 hours, and the cron then deletes it", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const start = Date.now();
  const { key } = await createAccount();
  const first = await (await create(key, "k")).text();
  vi.setSystemTime(start + DAY_MS - 1);
  expect(await (await create(key, "k")).text()).toBe(first);
  vi.setSystemTime(start + DAY_MS);
  expect(await (await create(key, "k", { url: "https://example.com/next" })).text()).not.toBe(first);
  expect(await countLinks()).toBe(2);
  const kept = () => env.DB.prepare("SELECT count(*) AS answers FROM idempotency_keys").first("answers");
  await runCron(start + 2 * DAY_MS - 1);
  expect(await kept()).toBe(1);
  await runCron(start + 2 * DAY_MS);
  expect(await kept()).toBe(0);
});

it.each([
  ["", 400],
  ["x".repeat(256), 400],
  ["with space", 400],
  ["x".repeat(255), 201],
])("takes visible ASCII of 1 to 255 characters (%#)", async (value, status) => {
  const { key } = await createAccount();
  expect((await create(key, value)).status).toBe(status);
});
