import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf } from "../../support/api.ts";
import { countRows } from "../../webhooks/support.ts";
import { URL_OK } from "../../links/support.ts";

function upsert(key: string, idempotencyKey: string, body: object): Promise<Response> {
  return call("PUT", "/api/links/upsert", { key, body, headers: { "Idempotency-Key": idempotencyKey } });
}

/** What the client sees of a response. */
async function seen(response: Response) {
  return { status: response.status, tag: response.headers.get("ETag"), text: await response.text() };
}

async function subscribe(key: string): Promise<void> {
  const body = { url: "https://hooks.receiver.dev/in", events: ["link.create", "link.update"] };
  await call("POST", "/api/webhooks", { key, body });
}

it("returns the first response of a creation and of an update again, with their statuses", async () => {
  const { key } = await createAccount();
  const created = await seen(await upsert(key, "a", { url: URL_OK, externalId: "p", password: "secret word" }));
  expect(created.status).toBe(201);
  const changes = {
    url: URL_OK,
    externalId: "p",
    title: '\u2028 \u2029 🚀 ü "',
    geo: { US: URL_OK, DE: URL_OK },
    tags: ["a", "b"],
  };
  const updated = await seen(await upsert(key, "b", changes));
  expect(updated.status).toBe(200);
  await upsert(key, "c", { url: URL_OK, externalId: "p", title: "later", slug: "later" });
  const replays = [
    await upsert(key, "a", { password: "secret word", externalId: "p", url: URL_OK }),
    await upsert(key, "b", changes),
  ];
  expect(replays.map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual(["true", "true"]);
  expect(await Promise.all(replays.map(seen))).toEqual([created, updated]);
  const { title } = (await jsonOf<{ links: Link[] }>(await call("GET", "/api/links", { key }))).links[0] ?? {};
  expect(title).toBe("later");
});

it("stores the response of an update that changes nothing, which emits nothing", async () => {
  const { key } = await createAccount();
  await subscribe(key);
  const body = { url: URL_OK, externalId: "p", title: "same" };
  const { id } = await createLink(key, body);
  const first = await seen(await upsert(key, "k", body));
  await call("PATCH", `/api/links/${id}`, { key, body: { title: "later" } });
  expect(await seen(await upsert(key, "k", body))).toEqual(first);
  expect((JSON.parse(first.text) as { link: Link }).link.title).toBe("same");
  expect(await countRows("deliveries")).toBe(2);
});

it("refuses the key with another body, password or operation, and keeps no failure", async () => {
  const { key } = await createAccount();
  await createLink(key, { slug: "taken" });
  const body = { url: URL_OK, externalId: "p" };
  expect((await upsert(key, "k", { ...body, slug: "taken" })).status).toBe(409);
  expect((await upsert(key, "k", { ...body, url: "https://tern.test/x" })).status).toBe(400);
  expect((await upsert(key, "k", { ...body, password: "first word" })).status).toBe(201);
  expect((await upsert(key, "k", { ...body, password: "other word" })).status).toBe(409);
  expect((await upsert(key, "k", body)).status).toBe(409);
  const headers = { "Idempotency-Key": "k" };
  expect((await call("POST", "/api/links", { key, body, headers })).status).toBe(409);
  expect((await call("POST", "/api/links/bulk", { key, body: { links: [body] }, headers })).status).toBe(409);
  expect(await countRows("links")).toBe(2);
});

it("returns the first response even if the request would now be refused", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { key } = await createAccount();
  const body = { url: URL_OK, slug: "mine", externalId: "p" };
  await createLink(key, { externalId: "p" });
  const first = await seen(await upsert(key, "k", { ...body, expiresAt: Date.now() + 1_000 }));
  const at = Date.now();
  vi.setSystemTime(at + 2_000);
  await env.DB.prepare("UPDATE links SET external_id = 'q'").run();
  expect(await seen(await upsert(key, "k", { ...body, expiresAt: at + 1_000 }))).toEqual(first);
});

it.each([
  ["creation", 201],
  ["update", 200],
])("makes one %s for 40 parallel requests with one key, with one event", async (_, status) => {
  const { key } = await createAccount();
  if (status === 200) await createLink(key, { externalId: "p" });
  await subscribe(key);
  const body = { url: URL_OK, externalId: "p", title: "new" };
  const responses = await Promise.all(Array.from({ length: 40 }, () => upsert(key, "k", body)));
  const replayed = responses.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true");
  const answers = await Promise.all(responses.map(seen));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect([answers[0]?.status, replayed.length]).toEqual([status, 39]);
  expect([await countRows("links"), await countRows("deliveries")]).toEqual([1, 1]);
});
