import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { Tern, TernError, type DebugEvent } from "@tern/sdk";
import { ID, KEY, answers, breaks, created, errorOf, failed, useScriptedServer } from "./support/scripted-server.ts";

const { server, start } = await useScriptedServer();

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
  });

  it("come for redirects, which only short links have", async () => {
    const redirect = (type: string) => answers(301, {}, { Location: "https://other.example/", "Content-Type": type });
    for (const type of ["text/html", "application/json"]) {
      const { client } = start(redirect(type));
      const calls = [
        client.links.get(ID),
        client.links.delete(ID),
        client.exports.download(ID),
        client.sharedPages.enterPassword("x", { password: "x" }),
        client.fetch("GET", "/api/clicks/records"),
        client.redirects.showDestination("x"),
      ];
      for (const error of await Promise.all(calls.map(errorOf)))
        expect(error).toMatchObject({
          name: "TernError",
          code: "unexpected_response",
          status: 301,
          message: "The response is a redirect to https://other.example/.",
        });
      expect(server.requests).toHaveLength(calls.length);
      const visits = [client.redirects.follow("x"), client.redirects.enterPassword("x", { password: "x" })];
      for (const { status, headers } of await Promise.all(visits))
        expect([status, headers.get("Location")]).toEqual([301, "https://other.example/"]);
    }
    const { client } = start(answers(304));
    const known = { headers: { "If-None-Match": '"x"' } };
    expect((await client.qrCodes.getForLink(ID, {}, known)).status).toBe(304);
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
    for (const bad of [
      "go.example",
      "ftp://go.example",
      "https://go.example/?x",
      "https://a@go.example",
      "https://:b@go.example",
    ])
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

  it("sends no key over a network without encryption", () => {
    const clientAt = (baseUrl: string, apiKey: string | null = KEY) => new Tern({ apiKey, baseUrl });
    for (const host of [
      "go.example",
      "192.168.0.2:8787",
      "128.0.0.1",
      "127.example",
      "127.0.0.1.example",
      "localhost.example",
      "mylocalhost",
      "[::2]",
      "[::ffff:7f00:1]",
    ]) {
      expect(() => clientAt(`HTTP://${host}/`), host).toThrow("baseUrl must begin with https://");
      expect(clientAt(`http://${host}`, null)).toBeInstanceOf(Tern);
      expect(clientAt(`HTTPS://${host}`)).toBeInstanceOf(Tern);
    }
    for (const host of ["localhost", "LOCALHOST:8787/tern", "127.0.0.1:8787", "127.1", "127.255.0.9", "[::1]:8787"])
      expect(clientAt(`http://${host}`), host).toBeInstanceOf(Tern);
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

  it("collects a list up to a limit, without a page that is not needed", async () => {
    const page = (nextCursor: string | null, ...ids: string[]) =>
      answers(200, { links: ids.map((id) => ({ id })), nextCursor });
    const { client } = start(page("two", "1", "2"), page(null, "3"));
    const read = async (limit: number) => {
      server.script(page("two", "1", "2"), page(null, "3"));
      const links = await client.links.list().all({ limit });
      return [links.map(({ id }) => id).join(""), server.requests.length];
    };
    expect([await read(Infinity), await read(3), await read(2), await read(1), await read(0)]).toEqual([
      ["123", 2],
      ["123", 2],
      ["12", 1],
      ["1", 1],
      ["", 0],
    ]);
  });

  it("takes dates and single texts", async () => {
    const { client } = start(answers(200, { link: { id: ID }, links: [], nextCursor: null }));
    const time = new Date("2030-01-31T12:00:00Z");
    await client.links.list({ tag: "sale", createdAfter: time, createdBefore: 1 }).page();
    expect(server.requests[0]?.path).toBe(
      "/api/links?tag=sale&createdAfter=2030-01-31T12%3A00%3A00.000Z&createdBefore=1",
    );
    const rules = [{ countries: ["DE"], startsAt: time, url: "https://example.com/" }];
    await client.links.update(ID, { expiresAt: time, rules }, { ifUpdatedAt: time });
    expect(JSON.parse(server.requests[1]?.body ?? "")).toEqual({
      expiresAt: time.toISOString(),
      rules: [{ ...rules[0], startsAt: time.toISOString() }],
    });
    expect(server.requests[1]?.headers["if-match"]).toBe(`"${time.getTime()}"`);
    // Null would clear the field.
    const error = await errorOf(client.links.update(ID, { expiresAt: new Date("no time") }));
    expect([error, server.requests.length]).toEqual([expect.any(RangeError), 2]);
  });

  it("takes a single tag of a link as a text", async () => {
    const { client } = start(answers(200, { link: { id: ID }, results: [] }));
    const link = { url: "https://example.com/", tags: "sale" };
    await client.links.create(link);
    await client.links.update(ID, { tags: "sale" });
    await client.links.upsert({ ...link, slug: "a" });
    await client.links.createMany({ links: [link, { ...link, tags: ["a", "b"] }] });
    await client.links.updateMany({ ids: [ID], changes: { tags: "sale" } });
    const sent = { ...link, tags: ["sale"] };
    expect(server.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      sent,
      { tags: ["sale"] },
      { ...sent, slug: "a" },
      { links: [sent, { ...link, tags: ["a", "b"] }] },
      { ids: [ID], changes: { tags: ["sale"] } },
    ]);
  });

  it("tells a hook of each attempt, without the key and other secrets", async () => {
    const events: DebugEvent[] = [];
    const debug = (event: DebugEvent) => void events.push(event);
    start(failed(503), breaks, answers(200, { links: [], nextCursor: null }, { "X-Request-Id": ID }));
    const client = new Tern({ apiKey: KEY, baseUrl: server.origin, debug });
    await client.links.list({ tag: "sale" }).page();
    const event = { method: "GET", url: `${server.origin}/api/links?tag=sale`, durationMs: expect.any(Number) };
    expect(events).toEqual([
      { ...event, attempt: 1, status: 503, requestId: null },
      { ...event, attempt: 2, status: 0, requestId: null },
      { ...event, attempt: 3, status: 200, requestId: ID },
    ]);
    expect(events.every(({ durationMs }) => durationMs >= 0)).toBe(true);
    server.script(answers(200, { page: {} }));
    await client.sharedPages.view("t0ken");
    await errorOf(client.sharedPages.enterPassword("t0ken", { password: "pass-word" }));
    expect(events.slice(3).map(({ url }) => url)).toEqual([
      `${server.origin}/api/shared/…`,
      `${server.origin}/api/shared/…/password`,
    ]);
    expect(JSON.stringify(events)).not.toMatch(new RegExp(`${KEY}|t0ken|pass-word`));
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
    await client.fetch("GET", "/api/file?a=1", { query: { b: [2, 3], c: undefined, "d&": "?" } });
    await client.fetch("GET", "/api/file?a=1", { query: { c: undefined } });
    expect(server.requests.slice(-2).map(({ path }) => path)).toEqual([
      "/api/file?a=1&b=2&b=3&d%26=%3F",
      "/api/file?a=1",
    ]);
    const file = await client.fetch("GET", "/api/file", { headers: { Accept: "text/csv" } });
    expect(file.headers.get("Content-Type")).toBe("text/csv");
    expect(server.requests.at(-1)?.headers.accept).toBe("text/csv");
  });
});
