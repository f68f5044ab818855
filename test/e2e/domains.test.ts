import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { HOUR_MS, SECOND_MS } from "../../src/limits.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { fails, lags } from "./support/database.ts";
import { startService, type Isolate, type Service } from "./support/service.ts";

// Visits of custom domains, by the Host header of requests to the built Worker.

const EVERYWHERE_MS = 35_000;
const OURS = "https://example.com/ours";

let service: Service<"here" | "near" | "far">;
let owner: { accountId: number; key: string };
let other: { accountId: number; key: string };

beforeAll(async () => {
  service = await startService({ here: "one", near: "one", far: "two" });
  owner = await createAccount(service.db);
  other = await createAccount(service.db);
});
afterEach(async () => {
  for (const isolate of Object.values(service.isolates)) {
    isolate.onDatabase = undefined;
    // Each test has the look-ups of a second for itself.
    await isolate.advance(SECOND_MS);
  }
});
afterAll(() => service.stop());

async function addDomain(domain: string, { accountId } = owner, columns: Record<string, string> = {}): Promise<string> {
  const id = newId(Date.now());
  const now = Date.now();
  const row = { id, account_id: accountId, domain, token: "t", status: "verified", created_at: now, updated_at: now };
  const entries = Object.entries({ ...row, ...columns });
  const names = entries.map(([name]) => name).join(", ");
  const places = entries.map((_, index) => `?${index + 1}`).join(", ");
  await service.db
    .prepare(`INSERT INTO domains (${names}) VALUES (${places})`)
    .bind(...entries.map(([, value]) => value))
    .run();
  return id;
}

/** Creates a link on the service's domain and moves it to a custom domain. */
async function addLink(domain: string, slug: string, url = OURS, { key } = owner): Promise<void> {
  const { id } = await createLink(service.isolates.here, key, { url });
  await service.db.prepare("UPDATE links SET domain = ?1, slug = ?2 WHERE id = ?3").bind(domain, slug, id).run();
}

async function answerOf(isolate: Isolate, host: string, path: string): Promise<string | number> {
  const { status, headers } = await isolate.get(path, { Host: host });
  return headers["location"] ?? status;
}

let nextClient = 1;

/** The response to a raw request of a new client, with a target and headers that no client library sends. */
async function rawAnswerOf(target: string, ...headers: string[]): Promise<string | number> {
  const { address } = service.isolates.here;
  const socket = connect(Number(address.port), address.hostname);
  // One client may only look for few unknown slugs in a minute.
  const own = [`CF-Connecting-IP: 192.0.2.${nextClient++}`, "Connection: close"];
  socket.write(`GET ${target} HTTP/1.1\r\n${[...headers, ...own].join("\r\n")}\r\n\r\n`, "latin1");
  const answer = await text(socket.setEncoding("latin1"));
  return /^location: (.*)\r$/im.exec(answer)?.[1] ?? Number(answer.split(" ")[1]);
}

it("redirects links of a verified domain for every spelling of its host", async () => {
  await addDomain("go.acme.test");
  const hosts = ["go.acme.test", "go.acme.test:8787", "GO.Acme.TEST", "go.acme.test.", "go.acme.test.:443"];
  for (const [index, host] of hosts.entries()) {
    await addLink("go.acme.test", `host-${index}`);
    for (const isolate of Object.values(service.isolates)) {
      expect([host, await answerOf(isolate, host, `/host-${index}`)]).toEqual([host, OURS]);
      expect(await answerOf(isolate, "tern.test", `/host-${index}`)).toBe(404);
    }
  }
});

it("answers 404 to every path on a host that no account has verified", async () => {
  await addDomain("pending.test", owner, { status: "pending", root_url: OURS, not_found_url: OURS, asset_links: "[]" });
  await addLink("pending.test", "spring");
  for (const host of ["pending.test", "nobodys.test", "127.0.0.1", "[::1]", "localhost"]) {
    for (const path of ["/", "/spring", "/robots.txt", "/api/openapi.json", "/api", "/.well-known/assetlinks.json"])
      expect([host, path, await answerOf(service.isolates.here, host, path)]).toEqual([host, path, 404]);
  }
});

it("does not serve the API on a verified domain", async () => {
  await addDomain("api.test");
  for (const path of ["/api", "/api/links", "/api/openapi.json", "//api/links", "/api%2Flinks", "/./api/links"]) {
    const answer = await service.isolates.here.get(path, { Host: "api.test", Authorization: `Bearer ${owner.key}` });
    expect([path, answer.status, answer.headers["content-type"]]).toEqual([path, 404, "text/html; charset=utf-8"]);
  }
  const headers = { Host: "api.test", Authorization: `Bearer ${owner.key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ url: OURS });
  expect((await service.isolates.here.request("POST", "/api/links", { headers, body })).status).toBe(405);
});

it("separates the same slug of different hosts in the memory cache, the edge cache and the database", async () => {
  const { here, near, far } = service.isolates;
  for (const host of ["one.test", "two.test"]) {
    await addDomain(host, owner, { root_url: `https://example.com/root-of-${host}` });
    await addLink(host, "same", `https://example.com/${host}`);
  }
  await createLink(here, owner.key, { url: "https://example.com/tern.test", slug: "same" });
  for (const isolate of [here, here, near, far]) {
    for (const host of ["two.test", "tern.test", "one.test", "two.test"])
      expect(await answerOf(isolate, host, "/same")).toBe(`https://example.com/${host}`);
    for (const host of ["one.test", "two.test"])
      expect(await answerOf(isolate, host, "/")).toBe(`https://example.com/root-of-${host}`);
    expect(await answerOf(isolate, "three.test", "/same")).toBe(404);
    await isolate.settled();
  }
});

it.each([
  ["victim.test@evil.test"],
  ["evil.test#victim.test"],
  ["evil.test?victim.test"],
  ["evil.test\\victim.test"],
  ["evil.test:victim.test"],
  ["victim.test.evil.test"],
  ["victim.test%00.evil.test"],
  ["victim.test,evil.test"],
  ["victim.test evil.test"],
  ["victim.test/../evil.test"],
  ["victim.test:99999"],
  [".victim.test"],
  [""],
])("does not let the host %j poison the caches of a domain", async (host) => {
  if ((await service.db.prepare("SELECT 1 FROM domains WHERE domain = 'victim.test'").first()) === null) {
    await addDomain("victim.test");
    await addDomain("evil.test", other);
    await addLink("victim.test", "bank");
    await addLink("evil.test", "bank", "https://phishing.example/", other);
    await addLink("evil.test", "only-evil", "https://phishing.example/", other);
  }
  for (const path of ["/bank", "/only-evil", "/", "/bank+"]) {
    const answer = await rawAnswerOf(path, `Host: ${host}`, "X-Forwarded-Host: victim.test", "X-Host: victim.test");
    // Some runtimes reject such a request before it reaches the Worker. The Worker must not fail on it.
    expect(answer).not.toBe(500);
    await service.isolates.here.settled();
  }
  for (const isolate of Object.values(service.isolates)) {
    expect(await answerOf(isolate, "victim.test", "/bank")).toBe(OURS);
    expect(await answerOf(isolate, "victim.test", "/only-evil")).toBe(404);
    expect(await answerOf(isolate, "evil.test", "/bank")).toBe("https://phishing.example/");
  }
});

it("trusts only the Host header", async () => {
  await addDomain("trusted.test");
  await addLink("trusted.test", "spring");
  const names = ["X-Forwarded-Host", "X-Original-Host", "X-Host", "Forwarded"];
  const forged = names.map((name) => `${name}: ${name === "Forwarded" ? "host=" : ""}trusted.test`);
  expect(await rawAnswerOf("/spring", "Host: unknown.test", ...forged)).toBe(404);
  expect(await rawAnswerOf("/api/openapi.json", "Host: trusted.test", "X-Forwarded-Host: tern.test")).toBe(404);
});

it("stops redirecting links of a deleted domain within 35 seconds in every data centre", async () => {
  const { near, far } = service.isolates;
  await addDomain("deleted.test", owner, { root_url: OURS });
  await addLink("deleted.test", "spring");
  const isolates = [near, far];
  for (const isolate of isolates) {
    for (const path of ["/", "/spring"]) expect(await answerOf(isolate, "deleted.test", path)).toBe(OURS);
    await isolate.settled();
  }
  await service.db.prepare("DELETE FROM domains WHERE domain = 'deleted.test'").run();
  for (let passed = 0; passed < EVERYWHERE_MS; passed += 1_000) {
    for (const isolate of isolates) {
      for (const path of ["/", "/spring"]) await answerOf(isolate, "deleted.test", path);
      await isolate.advance(1_000);
    }
  }
  for (const isolate of isolates) {
    for (const path of ["/", "/spring"]) expect(await answerOf(isolate, "deleted.test", path)).toBe(404);
  }
});

it("does not serve links of the domain's previous owner", async () => {
  const { here, far } = service.isolates;
  await addDomain("taken.test", owner, { root_url: OURS });
  await addLink("taken.test", "old");
  for (const isolate of [here, far]) {
    for (const path of ["/", "/old"]) expect(await answerOf(isolate, "taken.test", path)).toBe(OURS);
    await isolate.settled();
  }
  await service.db.prepare("UPDATE domains SET status = 'pending' WHERE domain = 'taken.test'").run();
  await addDomain("taken.test", other, { root_url: "https://example.com/theirs" });
  await addLink("taken.test", "new", "https://example.com/theirs", other);
  for (const isolate of [here, far]) {
    await isolate.advance(EVERYWHERE_MS);
    expect(await answerOf(isolate, "taken.test", "/old")).toBe(404);
    for (const path of ["/", "/new"])
      expect(await answerOf(isolate, "taken.test", path)).toBe("https://example.com/theirs");
  }
});

it("serves cached entries of the last day while the database fails", async () => {
  const { here, near } = service.isolates;
  await addDomain("stale.test", owner, {
    root_url: OURS,
    not_found_url: "https://example.com/lost",
    asset_links: "[]",
  });
  await addLink("stale.test", "spring");
  for (const path of ["/", "/spring"]) await answerOf(here, "stale.test", path);
  await here.settled();
  for (const isolate of [here, near]) {
    await isolate.advance(23 * HOUR_MS);
    isolate.onDatabase = fails;
    for (const path of ["/", "/spring"]) expect(await answerOf(isolate, "stale.test", path)).toBe(OURS);
    expect(await answerOf(isolate, "stale.test", "/.well-known/assetlinks.json")).toBe(200);
    expect(await answerOf(isolate, "stale.test", "/a.b")).toBe("https://example.com/lost");
    expect(await answerOf(isolate, "stale.test", "/never-seen")).toBe(503);
    expect(await answerOf(isolate, "never-seen.test", "/")).toBe(503);
  }
});

it("serves changed files at once in the data centre of the change, although replicas lag", async () => {
  const { here, near } = service.isolates;
  const id = await addDomain("files.test");
  const { results } = await service.db.prepare("SELECT * FROM domains WHERE id = ?1").bind(id).all();
  for (const isolate of [here, near]) {
    expect(await answerOf(isolate, "files.test", "/.well-known/assetlinks.json")).toBe(404);
    await isolate.settled();
  }
  const statements = [{ include: "https://example.com/statements.json" }];
  const changed = await callApi(here, owner.key, "PATCH", `/api/deep-links/domains/${id}`, { assetLinks: statements });
  expect(changed.status).toBe(200);
  for (const isolate of [here, near]) isolate.onDatabase = lags(results);
  await near.advance(6_000);
  for (const isolate of [here, near]) {
    for (const ms of [0, 6_000, 40_000]) {
      await isolate.advance(ms);
      const answer = await isolate.get("/.well-known/assetlinks.json", { Host: "files.test" });
      expect(answer.json()).toEqual(statements);
      await isolate.settled();
    }
  }
});

it("does not evaluate modules of the API for a custom domain", async () => {
  const lone = await startService({ here: "one" }, { recordsModules: true });
  try {
    for (const path of ["/", "/spring", "/api/links", "/robots.txt", "/.well-known/assetlinks.json"])
      await lone.isolates.here.get(path, { Host: "lone.test" });
    const { evaluatedModules } = await lone.isolates.here.state();
    expect((evaluatedModules ?? []).filter((path) => /app\.ts|hono|zod/.test(path))).toEqual([]);
  } finally {
    await lone.stop();
  }
});
