import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { BASE_URL, call, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";

interface Shortened {
  shortUrl: string;
  link: Link;
}
const body = { url: "https://example.com/a/long/address" };

describe("without a key", () => {
  it("creates an anonymous link that expires after 30 days", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const response = await call("POST", "/api/shorten", { body });
    expect(response.status).toBe(201);
    const { shortUrl, link } = await jsonOf<Shortened>(response);
    expect(shortUrl).toBe(`${BASE_URL}/${link.slug}`);
    expect(link.shortUrl).toBe(shortUrl);
    expect(link.expiresAt).toBe(Date.now() + 30 * 86_400_000);
    expect((await call("GET", shortUrl)).headers.get("Location")).toBe(body.url);
    const { key } = await createAccount();
    expect((await call("GET", `/api/links/${link.id}`, { key })).status).toBe(403);
    expect(await jsonOf(await call("GET", "/api/links", { key }))).toEqual({ links: [], nextCursor: null });
    vi.setSystemTime(link.expiresAt ?? 0);
    expect((await call("GET", shortUrl)).status).toBe(410);
  });

  it("refuses a chosen slug and an Idempotency-Key, because keys belong to accounts", async () => {
    const response = await call("POST", "/api/shorten", { body: { ...body, slug: "mine" } });
    expect(await jsonOf<ErrorJson>(response)).toMatchObject({ code: "invalid_request", details: [{ path: "slug" }] });
    const withKey = await call("POST", "/api/shorten", { body, headers: { "Idempotency-Key": "k" } });
    expect(await jsonOf<ErrorJson>(withKey)).toMatchObject({
      code: "invalid_request",
      details: [{ path: "idempotency-key", message: "is accepted only with an API key" }],
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
