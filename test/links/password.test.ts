import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { generateEncryptionKey } from "../../src/platform/lib/encryption.ts";
import { tagOf } from "../../src/platform/lib/password-tag.ts";
import { MAX_PASSWORD_CHARS } from "../../src/limits.ts";
import { buildRequest, call, createLink, type ErrorJson, jsonOf, key, send, startAccount } from "../support/api.ts";
import { updateBulk } from "./support.ts";
import { MIN_PASSWORD_CHARS } from "../../src/links/limits.ts";

const PASSWORD = "correct horse";

beforeEach(startAccount);

function patch(id: string, body: unknown): Promise<Response> {
  return call("PATCH", `/api/links/${id}`, { key, body });
}

async function hashOf(id: string): Promise<string | null> {
  return env.DB.prepare("SELECT password_hash FROM links WHERE id = ?1").bind(id).first<string>("password_hash");
}

/** All values in the database, as one text. */
async function wholeDatabase(): Promise<string> {
  const { results: tables } = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const names = tables.map(({ name }) => String(name)).filter((name) => !/^(_cf|sqlite_)/.test(name));
  const rows = await env.DB.batch(names.map((name) => env.DB.prepare(`SELECT * FROM "${name}"`)));
  return JSON.stringify(rows.map(({ results }) => results));
}

it("accepts a password, and never returns it or its hash", async () => {
  const logged = ["info", "warn", "error", "log"].map((level) => vi.spyOn(console, level as "info"));
  const body = { url: "https://example.com/", slug: "private", password: PASSWORD };
  const created = await (await call("POST", "/api/links", { key, body })).text();
  const { link } = JSON.parse(created) as { link: { id: string; hasPassword: boolean } };
  expect(link.hasPassword).toBe(true);
  const hash = (await hashOf(link.id)) ?? "";
  expect(hash).toMatch(/^test\.[\w+/]{16}\.[\w+/]{43}=$/);
  const responses = [created, await (await call("GET", `/api/links/${link.id}`, { key })).text()];
  responses.push(await (await call("GET", "/api/links?search=private", { key })).text());
  responses.push(await (await patch(link.id, { title: "a", password: PASSWORD })).text());
  responses.push(await (await patch(link.id, { password: "no" })).text());
  const texts = [...responses, JSON.stringify(logged.map(({ mock }) => mock.calls)), await wholeDatabase()];
  for (const text of texts) expect(text).not.toContain(PASSWORD);
  for (const response of responses) {
    expect(response).not.toContain('"password":');
    for (const part of hash.split(".").slice(1)) expect(response).not.toContain(part);
  }
});

it("changes and removes a password, and otherwise keeps it", async () => {
  const link = await createLink(key);
  expect([link.hasPassword, await hashOf(link.id)]).toEqual([false, null]);
  await patch(link.id, { password: PASSWORD });
  const first = await hashOf(link.id);
  await patch(link.id, { title: "another" });
  expect(await hashOf(link.id)).toBe(first);
  const changed = await jsonOf<{ link: { hasPassword: boolean } }>(await patch(link.id, { password: `${PASSWORD}!` }));
  expect(changed.link.hasPassword).toBe(true);
  const second = await hashOf(link.id);
  expect(tagOf(second ?? "")).not.toBe(tagOf(first ?? ""));
  const removed = await jsonOf<{ link: { hasPassword: boolean } }>(await patch(link.id, { password: null }));
  expect(removed.link.hasPassword).toBe(false);
  expect(await hashOf(link.id)).toBeNull();
});

it("keeps a password that is set again, also under an older key, and changes nothing", async () => {
  const [link, other] = [await createLink(key, { password: "caf\u00e9 latte" }), await createLink(key)];
  const before = await hashOf(link.id);
  const keys = `${generateEncryptionKey("next")},${env.ENCRYPTION_KEYS}`;
  for (const ENCRYPTION_KEYS of [env.ENCRYPTION_KEYS, keys]) {
    const request = buildRequest("PATCH", `/api/links/${link.id}`, { key, body: { password: "cafe\u0301 latte" } });
    const { link: same } = await jsonOf<{ link: typeof link }>(await send(request, { ENCRYPTION_KEYS }));
    expect([same.updatedAt, await hashOf(link.id)]).toEqual([link.updatedAt, before]);
  }
  // One password at two links has two hashes.
  const { results } = await updateBulk(key, [link.id, other.id], { password: "caf\u00e9 latte" });
  expect(results.map((result) => result.link.hasPassword)).toEqual([true, true]);
  const [kept, added] = [(await hashOf(link.id)) ?? "", (await hashOf(other.id)) ?? ""];
  expect(kept).toBe(before);
  expect(added.split(".")[2]).not.toBe(kept.split(".")[2]);
  expect(results[0]?.link.updatedAt).toBe(link.updatedAt);
});

it("puts hasPassword in events, and not the password", async () => {
  await call("POST", "/api/webhooks", { key, body: { url: "https://hooks.example.com/", events: ["link.create"] } });
  const link = await createLink(key, { password: PASSWORD });
  const body = await env.DB.prepare("SELECT body FROM deliveries WHERE type = 'link.create'").first<string>("body");
  expect(JSON.parse(body ?? "")).toMatchObject({ data: { id: link.id, hasPassword: true } });
  expect(body).not.toMatch(/password_hash|test\.|correct/);
});

it.each([
  ["seven characters", "abcdefg"],
  ["too many", "x".repeat(MAX_PASSWORD_CHARS + 1)],
  ["seven characters of several code units", "🐦".repeat(MIN_PASSWORD_CHARS - 1)],
  ["a line break", "correct\nhorse"],
  ["broken Unicode", "correct\ud800"],
  ["a number", 12_345],
  ["a list", [PASSWORD]],
  ["nothing", ""],
])("refuses a password of %s", async (_, password) => {
  const link = await createLink(key);
  const body = { url: "https://example.com/", password };
  for (const response of [await call("POST", "/api/links", { key, body }), await patch(link.id, { password })]) {
    expect(response.status).toBe(400);
    expect((await jsonOf<ErrorJson>(response)).details?.[0]?.path).toBe("password");
  }
});

it("accepts the shortest and the longest password, surrounding spaces and any Unicode", async () => {
  for (const password of [
    "🐦".repeat(MAX_PASSWORD_CHARS),
    "🐦".repeat(MIN_PASSWORD_CHARS),
    "  two spaces  ",
    "парольный",
    "e\u0301\u00e9\u202e!12345",
  ]) {
    expect((await createLink(key, { password })).hasPassword).toBe(true);
  }
});

it("refuses a password for a quick shorten", async () => {
  const response = await call("POST", "/api/shorten", {
    key,
    body: { url: "https://example.com/", password: PASSWORD },
  });
  expect(response.status).toBe(400);
});

it("replays a request with a password, distinguishes other passwords, and stores no fast hash of it", async () => {
  const create = (password: string) =>
    call("POST", "/api/links", {
      key,
      headers: { "Idempotency-Key": "once" },
      body: { url: "https://example.com/", slug: "once", password },
    });
  const first = await jsonOf(await create(PASSWORD));
  const repeated = await create(PASSWORD);
  expect([repeated.status, await repeated.json()]).toEqual([201, first]);
  expect((await create("another password")).status).toBe(409);

  // A copy of the database must not allow fast guesses. This is how the fingerprint of a request without a password is made.
  const { fingerprint } =
    (await env.DB.prepare("SELECT fingerprint FROM idempotency_keys").first<{ fingerprint: string }>()) ?? {};
  const inOrder = [
    { url: "https://example.com/", slug: "once", password: PASSWORD },
    { url: "https://example.com/", password: PASSWORD, slug: "once" },
  ];
  for (const body of inOrder) {
    const text = new TextEncoder().encode(`POST /api/links\n${JSON.stringify(body)}`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
    expect(fingerprint).not.toBe(Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
});
