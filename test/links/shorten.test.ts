import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { setVerdicts } from "../../src/links/set-verdicts.ts";
import {
  BASE_URL,
  buildRequest,
  call,
  createAccount,
  jobContext,
  jsonOf,
  send,
  type ErrorJson,
} from "../support/api.ts";
import { itWithSafety } from "../support/safety.ts";

interface Shortened {
  shortUrl: string;
  link: Link;
}
const body = { url: "https://example.com/a/long/address" };

describe("without a key", () => {
  itWithSafety("creates an anonymous link that expires after 30 days", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const response = await call("POST", "/api/shorten", { body });
    expect(response.status).toBe(201);
    const { shortUrl, link } = await jsonOf<Shortened>(response);
    expect(shortUrl).toBe(`${BASE_URL}/${link.slug}`);
    expect(link.shortUrl).toBe(shortUrl);
    expect(link.expiresAt).toBe(Date.now() + 30 * 86_400_000);
    expect((await call("GET", shortUrl)).status).toBe(200);
    const { key } = await createAccount();
    expect((await call("GET", `/api/links/${link.id}`, { key })).status).toBe(403);
    expect(await jsonOf(await call("GET", "/api/links", { key }))).toEqual({ links: [], nextCursor: null });
    vi.setSystemTime(link.expiresAt ?? 0);
    expect((await call("GET", shortUrl)).status).toBe(410);
  });

  itWithSafety("creates a link whose visitors first see where it leads", async () => {
    const { shortUrl, link } = await jsonOf<Shortened>(await call("POST", "/api/shorten", { body }));
    expect(link.verdict).toEqual({ state: "pending", reason: null, since: null });
    const page = await call("GET", shortUrl);
    expect([page.status, page.headers.get("Location")]).toEqual([200, null]);
    expect(await page.text()).toContain(`href="${body.url}"`);
    const json = await call("GET", shortUrl, { headers: { Accept: "application/json" } });
    expect(await json.json()).toEqual({ destination: body.url, verdict: { state: "pending", reason: null } });
  });

  itWithSafety("hands on only campaign parameters once the link is allowed", async () => {
    const { shortUrl, link } = await jsonOf<Shortened>(await call("POST", "/api/shorten", { body }));
    const allowed = new Map([[link.id, { state: "allowed", reason: null, since: null } as const]]);
    expect(await setVerdicts(jobContext(Date.now()), allowed)).toHaveLength(1);
    const visit = await call("GET", `${shortUrl}?next=https://bad.example/&utm_source=mail`);
    expect([visit.status, visit.headers.get("Location")]).toEqual([302, `${body.url}?utm_source=mail`]);
  });

  it("creates a link that redirects at once where the service runs on this machine", async () => {
    const local = { BASE_URL: "http://localhost:8787" };
    const created = await send(buildRequest("POST", "http://localhost:8787/api/shorten", { body }), local);
    const { shortUrl, link } = await jsonOf<Shortened>(created);
    expect(link.verdict.state).toBe("allowed");
    const visit = await send(buildRequest("GET", shortUrl), local);
    expect([visit.status, visit.headers.get("Location")]).toEqual([302, body.url]);
  });

  it("refuses a chosen slug and an Idempotency-Key, because keys belong to accounts", async () => {
    const response = await call("POST", "/api/shorten", { body: { ...body, slug: "mine" } });
    expect(await jsonOf<ErrorJson>(response)).toMatchObject({
      code: "invalid_request",
      details: [{ path: "slug", code: "needs_key" }],
    });
    const withKey = await call("POST", "/api/shorten", { body, headers: { "Idempotency-Key": "k" } });
    expect(await jsonOf<ErrorJson>(withKey)).toMatchObject({
      code: "invalid_request",
      details: [{ path: "idempotency-key", code: "needs_key" }],
    });
    expect(await env.DB.prepare("SELECT count(*) AS links FROM links").first("links")).toBe(0);
  });

  it("can be called from any web page, but only without a key", async () => {
    const headers = { Origin: "https://page.example" };
    const preflight = await call("OPTIONS", "/api/shorten", {
      headers: {
        ...headers,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(preflight.headers.get("Access-Control-Allow-Headers")?.toLowerCase()).not.toContain("authorization");
    expect((await call("POST", "/api/shorten", { body, headers })).headers.get("Access-Control-Allow-Origin")).toBe(
      "*",
    );
    const { key } = await createAccount();
    expect(
      (await call("POST", "/api/shorten", { key, body, headers })).headers.has("Access-Control-Allow-Origin"),
    ).toBe(false);
    expect((await call("GET", "/api/links", { key, headers })).headers.has("Access-Control-Allow-Origin")).toBe(false);
  });
});

describe("with a key", () => {
  it("creates a link of the account, with the requested slug", async () => {
    const { key } = await createAccount();
    const response = await call("POST", "/api/shorten", { key, body: { ...body, slug: "Mine" } });
    const { shortUrl, link } = await jsonOf<Shortened>(response);
    expect({ status: response.status, shortUrl }).toEqual({ status: 201, shortUrl: `${BASE_URL}/Mine` });
    expect(link.expiresAt).toBeNull();
    expect(await jsonOf(await call("GET", `/api/links/${link.id}`, { key }))).toEqual({ link });
    expect((await call("POST", "/api/shorten", { key, body: { ...body, slug: "mine" } })).status).toBe(409);
  });

  it("returns the first response again for the same Idempotency-Key", async () => {
    const { key } = await createAccount();
    const send = () => call("POST", "/api/shorten", { key, body, headers: { "Idempotency-Key": "k" } });
    expect(await jsonOf(await send())).toEqual(await jsonOf(await send()));
  });
});
