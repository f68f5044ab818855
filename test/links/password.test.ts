import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { MAX_PASSWORD_CHARS } from "../../src/limits.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";

const PASSWORD = "correct horse";

let key: string;
beforeEach(async () => {
  ({ key } = await createAccount());
});

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
  expect(hash).toMatch(/^scrypt\$2\$8\$5\$[\w+/]{22}==\$[\w+/]{43}=$/);
  const responses = [created, await (await call("GET", `/api/links/${link.id}`, { key })).text()];
  responses.push(await (await call("GET", "/api/links?search=private", { key })).text());
  responses.push(await (await patch(link.id, { password: `${PASSWORD}!` })).text());
  responses.push(await (await patch(link.id, { password: "no" })).text());
  const texts = [...responses, JSON.stringify(logged.map(({ mock }) => mock.calls)), await wholeDatabase()];
  for (const text of texts) expect(text).not.toContain(PASSWORD);
  for (const response of responses) expect(response).not.toMatch(/scrypt|"password":/);
});

it("changes and removes a password, and otherwise keeps it", async () => {
  const link = await createLink(key);
  expect([link.hasPassword, await hashOf(link.id)]).toEqual([false, null]);
  await patch(link.id, { password: PASSWORD });
  const first = await hashOf(link.id);
  await patch(link.id, { title: "another" });
  expect(await hashOf(link.id)).toBe(first);
  const again = await jsonOf<{ link: { hasPassword: boolean } }>(await patch(link.id, { password: PASSWORD }));
  expect(again.link.hasPassword).toBe(true);
  expect(await hashOf(link.id)).not.toBe(first);
  const removed = await jsonOf<{ link: { hasPassword: boolean } }>(await patch(link.id, { password: null }));
  expect(removed.link.hasPassword).toBe(false);
  expect(await hashOf(link.id)).toBeNull();
});

it("puts hasPassword in events, and not the password", async () => {
  await call("POST", "/api/webhooks", { key, body: { url: "https://hooks.example.com/", events: ["link.create"] } });
  const link = await createLink(key, { password: PASSWORD });
  const body = await env.DB.prepare("SELECT body FROM events WHERE type = 'link.create'").first<string>("body");
  expect(JSON.parse(body ?? "")).toMatchObject({ data: { id: link.id, hasPassword: true } });
  expect(body).not.toMatch(/scrypt|correct/);
});

it.each([
  ["three characters", "abc"],
  ["too many", "x".repeat(MAX_PASSWORD_CHARS + 1)],
  ["three characters of several code units", "🐦🐦🐦"],
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

it("accepts the longest password, surrounding spaces and any Unicode", async () => {
  for (const password of ["🐦".repeat(MAX_PASSWORD_CHARS), "  two spaces  ", "пароль", "e\u0301\u00e9\u202e!"]) {
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
