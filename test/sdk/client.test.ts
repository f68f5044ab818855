import { inspect } from "node:util";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { Tern, TernError } from "@tern/sdk";
import {
  ID,
  KEY,
  answers,
  breaks,
  created,
  errorOf,
  quickClient,
  startScriptedServer,
} from "./support/scripted-server.ts";

const server = await startScriptedServer();
afterAll(() => server.stop());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

function start(...responses: Parameters<typeof server.script>) {
  server.script(...responses);
  return quickClient(server);
}

describe("errors", () => {
  it("have what the API says", async () => {
    const details = [{ path: "url", message: "is required" }];
    const body = { error: "url: is required", code: "invalid_request", details };
    const { client } = start(answers(400, body, { "X-Request-Id": ID }));
    const error = await errorOf(client.links.create({ url: "" }));
    expect(error).toBeInstanceOf(TernError);
    expect(error).toMatchObject({
      name: "TernError",
      message: "url: is required",
      status: 400,
      code: "invalid_request",
      details,
      requestId: ID,
      retryAfter: null,
    });
  });

  it("say that no response came, or one of something else", async () => {
    const { client } = start(breaks);
    expect(await errorOf(client.links.get(ID, { maxRetries: 0 }))).toMatchObject({
      status: 0,
      code: "connection_failed",
    });
    start(answers(301, {}, { Location: "https://other.example/", "Content-Type": "text/html" }));
    expect(await errorOf(client.links.get(ID))).toMatchObject({
      code: "unexpected_response",
      status: 301,
      message: "The response is a redirect to https://other.example/.",
    });
    expect(server.requests).toHaveLength(1);
  });

  it("come before a request for ids that would be another path", async () => {
    const { client } = start(created);
    for (const id of ["", ".", "..", undefined as unknown as string])
      expect(() => client.links.delete(id)).toThrow(TypeError);
    await expect(client.request("GET", "@other.example/")).rejects.toThrow("must begin with a slash");
    expect(server.requests).toHaveLength(0);
    await client.slugs.check("a/../b?c").catch(() => undefined);
    expect(server.requests[0]?.path).toBe("/api/slugs/a%2F..%2Fb%3Fc");
  });
});

describe("the client", () => {
  it("reads the key and the address from the environment", async () => {
    vi.stubEnv("TERN_API_KEY", KEY);
    vi.stubEnv("TERN_BASE_URL", `${server.origin}/`);
    server.script(created);
    await new Tern().links.create({ url: "https://example.com/" });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.requests[0]?.path).toBe("/api/links");
  });

  it("refuses a missing or malformed key or address, without showing the key", () => {
    vi.stubEnv("TERN_API_KEY", undefined);
    vi.stubEnv("TERN_BASE_URL", undefined);
    expect(() => new Tern({ baseUrl: server.origin })).toThrow("TERN_API_KEY");
    expect(() => new Tern({ apiKey: KEY })).toThrow("TERN_BASE_URL");
    for (const bad of ["go.example", "ftp://go.example", "https://go.example/?x", "https://a:b@go.example"])
      expect(() => new Tern({ apiKey: KEY, baseUrl: bad })).toThrow("baseUrl must be");
    const error = (() => {
      try {
        return new Tern({ apiKey: `${KEY}x`, baseUrl: server.origin });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain(KEY);
    expect(inspect(new Tern({ apiKey: KEY, baseUrl: server.origin }), { depth: null, showHidden: true })).not.toContain(
      KEY,
    );
  });

  it("refuses to hold a key in a web page, and works there without one", async () => {
    const { client } = start(answers(201, { shortUrl: "https://go.example/x", link: { id: ID } }));
    vi.stubGlobal("document", {});
    expect(() => new Tern({ apiKey: KEY, baseUrl: server.origin })).toThrow("web page");
    await new Tern({ apiKey: null, baseUrl: server.origin }).links.shorten({ url: "https://example.com/" });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
    // Only accounts have idempotency keys.
    expect(server.requests[0]?.headers["idempotency-key"]).toBeUndefined();
    vi.unstubAllGlobals();
    vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (X11; Linux x86_64)" });
    expect(() => new Tern({ apiKey: KEY, baseUrl: server.origin })).toThrow("web page");
    expect(client).toBeInstanceOf(Tern);
  });

  it("reads lists to their end, and one page", async () => {
    const pages = [
      answers(200, { links: [{ id: "1" }], nextCursor: "two" }),
      answers(200, { links: [], nextCursor: null }),
    ];
    const { client } = start(...pages);
    const ids: string[] = [];
    for await (const { id } of client.links.list({ tag: ["a", "b"], page: 1 })) ids.push(id);
    expect(ids).toEqual(["1"]);
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/api/links?tag=a&tag=b&page=1",
      "/api/links?tag=a&tag=b&cursor=two",
    ]);
    start(...pages);
    expect(await client.links.list().page()).toEqual({ links: [{ id: "1" }], nextCursor: "two" });
    expect(server.requests).toHaveLength(1);
  });

  it("calls any operation", async () => {
    const { client } = start(
      answers(200, { new: true }),
      answers(204),
      answers(200, {}, { "Content-Type": "text/csv" }),
    );
    await expect(client.request("POST", "/api/new", { body: { a: 1 }, query: { b: [1, 2] } })).resolves.toEqual({
      new: true,
    });
    expect(server.requests[0]).toMatchObject({ method: "POST", path: "/api/new?b=1&b=2", body: '{"a":1}' });
    expect(server.requests[0]?.headers["idempotency-key"]).toBeUndefined();
    await expect(client.request("DELETE", "/api/new")).resolves.toBeUndefined();
    expect(await errorOf(client.request("GET", "/api/file"))).toMatchObject({ code: "unexpected_response" });
    const file = await client.fetch("GET", "/api/file", { headers: { Accept: "text/csv" } });
    expect(file.headers.get("Content-Type")).toBe("text/csv");
    expect(server.requests.at(-1)?.headers.accept).toBe("text/csv");
  });
});
