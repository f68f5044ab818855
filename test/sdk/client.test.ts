import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { inspect } from "node:util";
import { afterEach, beforeAll, afterAll, describe, expect, it, vi } from "vitest";
import { Tern, TernError } from "@tern/sdk";

const KEY = `svc_sk_live_${"0f".repeat(32)}`;
const ID = "019ac3f0-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** How the server responds, one for each request; the last one also to all further ones. */
let responses: Respond[] = [];
let requests: { method: string; path: string; headers: IncomingMessage["headers"]; body: string }[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { method = "", url: path = "", headers } = request;
    const respond = responses[Math.min(requests.length, responses.length - 1)];
    requests.push({ method, path, headers, body });
    respond?.(response, request);
  });
});
let baseUrl = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const answers =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  };
const created = answers(201, { link: { id: ID } });
const failed = (status: number, headers = {}) => answers(status, { error: "No.", code: "unavailable" }, headers);
const breaks: Respond = (response) => void response.destroy();
const cuts: Respond = (response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
  response.write('{"link":', () => response.destroy());
};
const stalls: Respond = () => undefined;

/** A client whose pauses last no time. They are recorded in milliseconds. */
function start(first: Respond, ...others: Respond[]) {
  responses = [first, ...others];
  requests = [];
  const pauses: number[] = [];
  const real = setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((run: () => void, ms = 0) => {
    // Timeouts of requests have other lengths.
    const isPause = ms !== TIMEOUT_MS && ms !== SHORT_TIMEOUT_MS && String(run).includes("resolve");
    if (isPause) pauses.push(ms);
    return real(run, isPause ? 0 : ms);
  }) as typeof setTimeout);
  return { client: new Tern({ apiKey: KEY, baseUrl, timeoutMs: TIMEOUT_MS }), pauses };
}
const TIMEOUT_MS = 60_000;
const SHORT_TIMEOUT_MS = 50;

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
const keysSent = () => new Set(requests.map(({ headers }) => headers["idempotency-key"]));

describe("retries", () => {
  it.each([
    ["a broken connection", breaks],
    ["a cut response", cuts],
    ["a 500", failed(500)],
    ["a 503", failed(503)],
    ["a 429", failed(429)],
    ["a page of a proxy", answers(502, "x", { "Content-Type": "text/html" })],
  ])("repeat a creation after %s, with one idempotency key", async (_, fault) => {
    const { client, pauses } = start(fault, fault, created);
    await expect(client.links.create({ url: "https://example.com/" })).resolves.toEqual({ id: ID });
    expect(requests).toHaveLength(3);
    expect(keysSent().size).toBe(1);
    expect([...keysSent()][0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(pauses).toHaveLength(2);
    expect(pauses[0]).toBeGreaterThanOrEqual(250);
    expect(pauses[0]).toBeLessThanOrEqual(500);
    expect(pauses[1]).toBeLessThanOrEqual(1_000);
  });

  it("send a new idempotency key with each call, and that of the caller", async () => {
    const { client } = start(created);
    await client.links.create({ url: "https://example.com/" });
    await client.links.create({ url: "https://example.com/" });
    await client.links.create({ url: "https://example.com/" }, { idempotencyKey: "order-17" });
    expect(keysSent().size).toBe(3);
    expect(keysSent()).toContain("order-17");
  });

  it("repeat a POST without an idempotency key only after a 429", async () => {
    for (const fault of [failed(503), breaks, cuts]) {
      const { client } = start(fault);
      expect(await errorOf(client.keys.create({ name: "x" }))).toBeInstanceOf(TernError);
      expect(requests).toHaveLength(1);
    }
    const { client } = start(failed(429), answers(201, { key: { id: ID } }));
    await expect(client.keys.create({ name: "x" })).resolves.toEqual({ id: ID });
    expect([...keysSent()]).toEqual([undefined]);
  });

  it("repeat GET, PUT, PATCH and DELETE, but no change with If-Match", async () => {
    const ok = answers(200, { link: { id: ID }, success: true });
    const calls: ((client: Tern) => Promise<unknown>)[] = [
      (client) => client.links.get(ID),
      (client) => client.links.upsert({ url: "https://example.com/", slug: "x" }),
      (client) => client.links.update(ID, { title: "x" }),
      (client) => client.links.delete(ID),
    ];
    for (const call of calls) {
      const { client } = start(breaks, ok);
      await call(client);
      expect(requests).toHaveLength(2);
    }
    const { client } = start(failed(503), ok);
    // The first attempt may have made the change, and the second one would be refused.
    await errorOf(client.links.update(ID, { title: "x" }, { ifUpdatedAt: 1_790_000_000_000 }));
    expect(requests.map(({ headers }) => headers["if-match"])).toEqual(['"1790000000000"']);
  });

  it("wait as long as Retry-After says, and not at all if that is too long", async () => {
    const { client, pauses } = start(failed(429, { "Retry-After": "7" }), created);
    await client.links.create({ url: "https://example.com/" });
    expect(pauses[0]).toBeGreaterThanOrEqual(7_000);
    expect(pauses[0]).toBeLessThanOrEqual(8_000);
    const second = start(failed(429, { "Retry-After": "3600" }));
    expect(await errorOf(second.client.links.create({ url: "https://example.com/" }))).toMatchObject({ retryAfter: 3_600 });
    expect(requests).toHaveLength(1);
    const third = start(failed(503, { "Retry-After": new Date(Date.now() + 9_000).toUTCString() }), created);
    await third.client.links.create({ url: "https://example.com/" });
    expect(third.pauses[0]).toBeGreaterThan(2_000);
    expect(third.pauses[0]).toBeLessThanOrEqual(10_000);
  });

  it("end after maxRetries, and do not begin for other errors", async () => {
    const { client } = start(failed(503));
    expect(await errorOf(client.links.get(ID, { maxRetries: 2 }))).toMatchObject({ status: 503 });
    expect(requests).toHaveLength(3);
    start(failed(404));
    expect(await errorOf(client.links.get(ID))).toMatchObject({ status: 404 });
    expect(requests).toHaveLength(1);
  });

  it("end when the caller aborts, also in a pause", async () => {
    responses = [failed(429, { "Retry-After": "60" })];
    requests = [];
    const client = new Tern({ apiKey: KEY, baseUrl });
    const controller = new AbortController();
    const result = errorOf(client.links.get(ID, { signal: controller.signal }));
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    controller.abort(new Error("enough"));
    expect(await result).toEqual(new Error("enough"));
    expect(await errorOf(client.links.get(ID, { signal: AbortSignal.abort() }))).toMatchObject({ name: "AbortError" });
    expect(requests).toHaveLength(1);
  });

  it("follow a timeout", async () => {
    const { client } = start(stalls, created);
    const options = { timeoutMs: SHORT_TIMEOUT_MS };
    await expect(client.links.create({ url: "https://example.com/" }, options)).resolves.toEqual({ id: ID });
    start(stalls);
    expect(await errorOf(client.links.get(ID, { ...options, maxRetries: 0 }))).toMatchObject({ status: 0, code: "timeout" });
  });
});

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
    expect(await errorOf(client.links.get(ID, { maxRetries: 0 }))).toMatchObject({ status: 0, code: "connection_failed" });
    start(answers(301, {}, { Location: "https://other.example/", "Content-Type": "text/html" }));
    expect(await errorOf(client.links.get(ID))).toMatchObject({
      code: "unexpected_response",
      status: 301,
      message: "The response is a redirect to https://other.example/.",
    });
    expect(requests).toHaveLength(1);
  });

  it("come before a request for ids that would be another path", async () => {
    const { client } = start(created);
    for (const id of ["", ".", "..", undefined as unknown as string])
      expect(() => client.links.delete(id)).toThrow(TypeError);
    await expect(client.request("GET", "@other.example/")).rejects.toThrow("must begin with a slash");
    expect(requests).toHaveLength(0);
    await client.slugs.check("a/../b?c").catch(() => undefined);
    expect(requests[0]?.path).toBe("/api/slugs/a%2F..%2Fb%3Fc");
  });
});

describe("the client", () => {
  it("reads the key and the address from the environment", async () => {
    vi.stubEnv("TERN_API_KEY", KEY);
    vi.stubEnv("TERN_BASE_URL", `${baseUrl}/`);
    responses = [created];
    requests = [];
    await new Tern().links.create({ url: "https://example.com/" });
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(requests[0]?.path).toBe("/api/links");
  });

  it("refuses a missing or malformed key or address, without showing the key", () => {
    vi.stubEnv("TERN_API_KEY", undefined);
    vi.stubEnv("TERN_BASE_URL", undefined);
    expect(() => new Tern({ baseUrl })).toThrow("TERN_API_KEY");
    expect(() => new Tern({ apiKey: KEY })).toThrow("TERN_BASE_URL");
    for (const bad of ["go.example", "ftp://go.example", "https://go.example/?x", "https://a:b@go.example"])
      expect(() => new Tern({ apiKey: KEY, baseUrl: bad })).toThrow("baseUrl must be");
    const error = (() => {
      try {
        return new Tern({ apiKey: `${KEY}x`, baseUrl });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain(KEY);
    expect(inspect(new Tern({ apiKey: KEY, baseUrl }), { depth: null, showHidden: true })).not.toContain(KEY);
  });

  it("refuses to hold a key in a web page, and works there without one", async () => {
    const { client } = start(answers(201, { shortUrl: "https://go.example/x", link: { id: ID } }));
    vi.stubGlobal("document", {});
    expect(() => new Tern({ apiKey: KEY, baseUrl })).toThrow("web page");
    await new Tern({ apiKey: null, baseUrl }).links.shorten({ url: "https://example.com/" });
    expect(requests[0]?.headers.authorization).toBeUndefined();
    // Only accounts have idempotency keys.
    expect(requests[0]?.headers["idempotency-key"]).toBeUndefined();
    vi.unstubAllGlobals();
    vi.stubGlobal("navigator", { userAgent: "Mozilla/5.0 (X11; Linux x86_64)" });
    expect(() => new Tern({ apiKey: KEY, baseUrl })).toThrow("web page");
    expect(client).toBeInstanceOf(Tern);
  });

  it("reads lists to their end, and one page", async () => {
    const pages = [answers(200, { links: [{ id: "1" }], nextCursor: "two" }), answers(200, { links: [], nextCursor: null })];
    const { client } = start(...(pages as [Respond]));
    const ids: string[] = [];
    for await (const { id } of client.links.list({ tag: ["a", "b"], page: 1 })) ids.push(id);
    expect(ids).toEqual(["1"]);
    expect(requests.map(({ path }) => path)).toEqual([
      "/api/links?tag=a&tag=b&page=1",
      "/api/links?tag=a&tag=b&cursor=two",
    ]);
    start(...(pages as [Respond]));
    expect(await client.links.list().page()).toEqual({ links: [{ id: "1" }], nextCursor: "two" });
    expect(requests).toHaveLength(1);
  });

  it("calls any operation", async () => {
    const { client } = start(answers(200, { new: true }), answers(204), answers(200, {}, { "Content-Type": "text/csv" }));
    await expect(client.request("POST", "/api/new", { body: { a: 1 }, query: { b: [1, 2] } })).resolves.toEqual({ new: true });
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/new?b=1&b=2", body: '{"a":1}' });
    expect(requests[0]?.headers["idempotency-key"]).toBeUndefined();
    await expect(client.request("DELETE", "/api/new")).resolves.toBeUndefined();
    expect(await errorOf(client.request("GET", "/api/file"))).toMatchObject({ code: "unexpected_response" });
    const file = await client.fetch("GET", "/api/file", { headers: { Accept: "text/csv" } });
    expect(file.headers.get("Content-Type")).toBe("text/csv");
    expect(requests.at(-1)?.headers.accept).toBe("text/csv");
  });
});
