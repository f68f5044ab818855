import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHANGES_HEADER } from "../../src/redirect/lookup/cache-changes.ts";
import { freshAddress } from "../support/address.ts";
import { callApi, createAccount, createLink, deleteLink, updateLink } from "./support/accounts.ts";
import { startSplitService, type SplitService } from "./support/split-service.ts";

// Redirect Workers in front of the full one. Each has its own edge cache, and so has the full Worker.

const OLD = "https://example.com/old";
const NEW = "https://example.com/new";
const HEADER = CHANGES_HEADER.toLowerCase();

let service: SplitService<"here" | "there">;
let key: string;

beforeAll(async () => {
  service = await startSplitService(["here", "there"]);
  ({ key } = await createAccount(service.db));
});
afterAll(() => service.stop());

const locationOf = async (front: "here" | "there", slug: string) =>
  (await service.fronts[front].get(`/${slug}`)).headers["location"];

describe("a change by the API", () => {
  it("is visible at once in the data centre of its caller, where the old version was cached", async () => {
    const { here } = service.fronts;
    const link = await createLink(here, key, { url: OLD, slug: "changed" });
    expect(await locationOf("here", "changed")).toBe(OLD);
    await updateLink(here, key, link.id, { url: NEW });
    expect(await locationOf("here", "changed")).toBe(NEW);
    await deleteLink(here, key, link.id);
    expect((await here.get("/changed")).status).toBe(404);
  });

  it("in another data centre leaves the copy here, as the caches of data centres are apart", async () => {
    const { here, there } = service.fronts;
    const link = await createLink(here, key, { url: OLD, slug: "apart" });
    expect(await locationOf("here", "apart")).toBe(OLD);
    await updateLink(there, key, link.id, { url: NEW });
    expect(await locationOf("there", "apart")).toBe(NEW);
    expect(await locationOf("here", "apart")).toBe(OLD);
  });
});

describe("what the full Worker tells of changes", () => {
  it("reaches no caller", async () => {
    const { here } = service.fronts;
    const answer = await callApi(here, key, "POST", "/api/links", { url: OLD, slug: "untold" });
    expect(answer.status).toBe(201);
    expect(answer.headers).not.toHaveProperty(HEADER);
  });

  it("is not taken from a caller, at short links and at the API", async () => {
    const { here } = service.fronts;
    await createLink(here, key, { url: OLD, slug: "forged" });
    const forged = { accountId: 1, isDeleted: true };
    const headers = { [CHANGES_HEADER]: JSON.stringify([{ change: forged, database: 0 }]) };
    for (const path of ["/forged", "/api/health", "/api/links", "/docs"]) {
      const answer = await here.request("GET", path, { headers: { ...headers, Authorization: `Bearer ${key}` } });
      expect(answer.headers).not.toHaveProperty(HEADER);
    }
    expect(await locationOf("here", "forged")).toBe(OLD);
  });
});

describe("requests that the full Worker answers", () => {
  it("are pages and documents of the service domain, and the API's hints", async () => {
    const { here } = service.fronts;
    for (const path of ["/", "/app", "/docs/webhooks", "/llms.txt"]) expect((await here.get(path)).status).toBe(200);
    expect((await here.get("/robots.txt")).text).toContain("/api/");
    const hint = await here.request("POST", "/links", { headers: { Accept: "application/json" } });
    expect(hint.status).toBe(405);
    expect(hint.text).toContain("POST /api/links");
  });

  it("keep the address of the visitor: rate limits count by it", async () => {
    const { here } = service.fronts;
    const [one, other] = [freshAddress(), freshAddress()];
    const ask = (address: string) => here.get("/api/health", { "CF-Connecting-IP": address });
    const remaining = async (address: string) => Number((await ask(address)).headers["x-ratelimit-remaining"]);
    const first = await remaining(one);
    expect(await remaining(one)).toBe(first - 1);
    expect(await remaining(other)).toBe(first);
  });

  it("are forms of link passwords: the visitor gets the target after the right one only", async () => {
    const { here } = service.fronts;
    await createLink(here, key, { url: OLD, slug: "secret", password: "open sesame" });
    const page = await here.get("/secret");
    expect(page.headers).not.toHaveProperty("location");
    const submit = (password: string) =>
      here.request("POST", "/secret", {
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ password }).toString(),
      });
    expect((await submit("wrong")).headers["set-cookie"]).toBeUndefined();
    const right = await submit("open sesame");
    const [cookie = ""] = [right.headers["set-cookie"]].flat();
    expect(cookie).not.toBe("");
    const unlocked = await here.get("/secret", { Cookie: cookie.split(";")[0] ?? "" });
    expect(unlocked.headers["location"]).toBe(OLD);
  });
});

describe("while the full Worker fails", () => {
  const get = (path: string, accept: string) => service.alone.get(path, { Accept: accept });

  it("short links and their previews still work", async () => {
    await createLink(service.fronts.here, key, { url: OLD, slug: "goes-on" });
    expect((await get("/goes-on", "text/html")).headers["location"]).toBe(OLD);
    expect((await get("/goes-on+", "text/html")).text).toContain("example.com/old");
    expect((await get("/unknown", "text/html")).status).toBe(404);
  });

  it("the rest is a 503: JSON for the API, a page for visitors", async () => {
    await createLink(service.fronts.here, key, { url: OLD, slug: "locked", password: "open sesame" });
    const api = await get("/api/links", "text/html");
    expect([api.status, api.json()]).toEqual([503, expect.objectContaining({ code: "unavailable" })]);
    for (const path of ["/", "/app", "/docs", "/locked"]) {
      const page = await get(path, "text/html");
      expect([path, page.status, page.headers["content-type"]]).toEqual([path, 503, "text/html; charset=utf-8"]);
    }
    const form = { "Content-Type": "application/x-www-form-urlencoded", Accept: "text/html" };
    const sent = await service.alone.request("POST", "/locked", { headers: form, body: "password=open+sesame" });
    expect([sent.status, sent.headers["location"]]).toEqual([503, undefined]);
    expect(service.logLines.join("\n")).toContain('"event":"full_worker_failed"');
  });
});
