import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/lib/uuid.ts";
import { until } from "../support/until.ts";
import { callApi, createAccount, createLink } from "./support/accounts.ts";
import { createPerson, PERSONS } from "./support/fuzz-person.ts";
import { startReceiver, type Receiver } from "./support/receiver.ts";
import type { Isolate } from "./support/service.ts";
import { startSplitService, type SplitService } from "./support/split-service.ts";

// What passes the redirect Worker arrives at the full one as it was sent, and its response at the caller.

const TARGET = "https://example.com/target";

let service: SplitService<"here">;
let here: Isolate;
let receiver: Receiver;
let key: string;
let accountId: number;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startSplitService(["here"], {
    ...PERSONS,
    BASE_URL: "http://localhost:8787",
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
  });
  ({ here } = service.fronts);
  ({ key, accountId } = await createAccount(service.db));
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

describe("the API", () => {
  it("gets bodies whole, also compressed ones, and says who is at fault as before", async () => {
    const title = "Grüße 漢字 ".repeat(20).trim();
    const answer = await callApi(here, key, "POST", "/api/links", { url: TARGET, title });
    expect(answer.json()).toMatchObject({ link: { title } });
    const links = Array.from({ length: 100 }, (_, n) => ({ url: `${TARGET}/${n}`, title }));
    const many = await callApi(here, key, "POST", "/api/links/bulk", { links });
    expect((many.json() as { results: object[] }).results).toHaveLength(100);
    const refused = await callApi(here, key, "POST", "/api/links", { url: "no URL" });
    expect([refused.status, refused.json()]).toMatchObject([400, { code: "invalid_request" }]);
    const compressed = await here.request("POST", "/api/links", {
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Content-Encoding": "gzip" },
      body: gzipSync(JSON.stringify({ url: TARGET, slug: "compressed" })),
    });
    expect(compressed.status).toBe(201);
  });

  it("makes QR codes as bytes, and answers a second request with 304", async () => {
    const { id } = await createLink(here, key, { url: TARGET });
    const path = `/api/links/${id}/qr?format=png`;
    const code = await callApi(here, key, "GET", path);
    expect([code.status, code.headers["content-type"]]).toEqual([200, "image/png"]);
    const again = await callApi(here, key, "GET", path, undefined, { "If-None-Match": code.headers["etag"] ?? "" });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  it("tells webhooks of changes and of clicks at the redirect Worker", async () => {
    const body = { url: `${receiver.origin}/in`, events: ["link.create", "link.click"] };
    expect((await callApi(here, key, "POST", "/api/webhooks", body)).status).toBe(201);
    await createLink(here, key, { url: TARGET, slug: "heard" });
    const heard = (event: string) => receiver.arrivals.some((arrival) => arrival.body.includes(`"${event}"`));
    await until(() => heard("link.create"));
    expect((await here.get("/heard")).headers["location"]).toBe(TARGET);
    await until(() => heard("link.click"));
  });

  it("counts the clicks of the redirect Worker", async () => {
    const { id } = await createLink(here, key, { url: TARGET, slug: "counted" });
    for (let visits = 0; visits < 3; visits++) await here.get("/counted");
    await until(async () => {
      const answer = await callApi(here, key, "GET", `/api/links/${id}/clicks`);
      return JSON.stringify(answer.json()).includes('"total":3');
    });
  });

  it("opens WebSockets of live clicks", async () => {
    const upgrade = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": "13" };
    const headers = { ...upgrade, "Sec-WebSocket-Key": Buffer.alloc(16).toString("base64") };
    expect((await callApi(here, key, "GET", "/api/clicks/live", undefined, headers)).status).toBe(101);
  });
});

describe("pages", () => {
  it("of the dashboard have the nonce of their policy; a file that does not exist is a 404", async () => {
    const page = await here.get("/app/links", { Accept: "text/html" });
    const nonce = /'nonce-([^']+)'/.exec(page.headers["content-security-policy"] ?? "")?.[1];
    expect(nonce).toBeDefined();
    expect(page.text).toContain(`nonce="${nonce}"`);
    expect((await here.get("/_app/no-such-file.js")).status).toBe(404);
  });

  it("of reports arrive with their form", async () => {
    const page = await here.get("/abuse", { Accept: "text/html" });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("<form")]);
  });

  it("of sessions keep cookies both ways", async () => {
    const { accountId: team } = await createAccount(service.db);
    const person = await createPerson(service.db, "ann@example.com", team);
    const origin = "http://localhost:8787";
    const cookies = [`tern=${person.token}`, `__Host-tern=${person.token}`].join("; ");
    const headers = { Cookie: cookies, Origin: origin, "Content-Type": "application/json" };
    const session = await here.get("/api/auth/session", headers);
    expect(session.text).toContain("ann@example.com");
    const ended = await here.request("POST", "/api/auth/sign-out", { headers, body: "{}" });
    expect([ended.status, [ended.headers["set-cookie"]].flat().join()]).toEqual([
      200,
      expect.stringContaining("tern="),
    ]);
    expect((await here.get("/api/auth/session", headers)).status).toBe(401);
  });
});

describe("the redirect Worker alone serves", () => {
  it("previews, redirects by device, and links with a visit limit", async () => {
    const ios = "https://example.com/ios";
    await createLink(here, key, { url: TARGET, slug: "varied", ios });
    const preview = await service.alone.get("/varied+", { Accept: "text/html" });
    expect(preview.text).toContain("example.com/target");
    const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15";
    expect((await service.alone.get("/varied", { "User-Agent": iphone })).headers["location"]).toBe(ios);
    await createLink(here, key, { url: TARGET, slug: "twice", maxClicks: 2 });
    const statuses: number[] = [];
    for (let visits = 0; visits < 3; visits++) statuses.push((await service.alone.get("/twice")).status);
    expect(statuses).toEqual([302, 302, 410]);
  });

  it("pages and files of custom domains, with their brand", async () => {
    const domain = "go.acme.test";
    const file = JSON.stringify([{ relation: ["r"], target: { namespace: "web", site: "https://acme.test" } }]);
    await service.db
      .prepare(
        `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at, brand_name, asset_links)
          VALUES (?1, ?2, ?3, 't', 'verified', ?4, ?4, 'Acme Works', ?5)`,
      )
      .bind(newId(Date.now()), accountId, domain, Date.now(), file)
      .run();
    const get = (path: string) => service.alone.get(path, { Host: domain, Accept: "text/html" });
    expect((await get("/.well-known/assetlinks.json")).text).toBe(file);
    const missing = await get("/missing");
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining("Acme Works")]);
  });
});
