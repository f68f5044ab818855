import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { BASE_URL, buildRequest, call, createAccount, errorOf, send } from "../../support/api.ts";

const LINK = { url: "https://example.com/" };
const UUID = /^[0-9a-f-]{36}$/;

/** A database whose calls fail with this message. */
function failingDatabase(message: string): D1Database {
  const fail = () => {
    throw new Error(message);
  };
  return new Proxy(env.DB, { get: () => fail });
}

describe("bodies", () => {
  it.each([
    ["that is malformed", "{", 400],
    ["that is empty", "", 400],
    ["that is not JSON", "url=https://example.com", 400],
    ["of 64 KiB and one byte", JSON.stringify({ url: "https://example.com/", title: "x".repeat(65_536) }), 413],
  ])("answers a JSON body %s", async (_, body, status) => {
    const { key } = await createAccount();
    const error = await errorOf(await call("POST", "/api/links", { key, body }));
    expect(error).toMatchObject({ status, code: status === 413 ? "payload_too_large" : "invalid_request" });
  });

  it("names the missing fields of an empty body", async () => {
    const { key } = await createAccount();
    expect(await errorOf(await call("POST", "/api/links", { key, body: "" }))).toMatchObject({
      details: [{ path: "url", code: "required" }],
    });
  });

  it("refuses a body by its Content-Length without reading it, and otherwise while reading", async () => {
    const { key } = await createAccount();
    const declared = await call("POST", "/api/links", { key, body: "{}", headers: { "Content-Length": "70000" } });
    expect(declared.status).toBe(413);
    let chunks = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        chunks++;
        controller.enqueue(new TextEncoder().encode(" ".repeat(1_024)));
        if (chunks > 10_000) controller.close();
      },
    });
    const headers = {
      ...Object.fromEntries(buildRequest("POST", "/", { key, body: {} }).headers),
      "Content-Length": "",
    };
    const streamed = await send(new Request(`${BASE_URL}/api/links`, { method: "POST", headers, body: endless }));
    expect(streamed.status).toBe(413);
    expect(chunks).toBeLessThan(1_000);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "",
  ])("answers 415 to content of type '%s'", async (type) => {
    const { key } = await createAccount();
    const error = await errorOf(
      await call("POST", "/api/links", { key, body: JSON.stringify(LINK), headers: { "Content-Type": type } }),
    );
    expect(error).toMatchObject({
      status: 415,
      code: "unsupported_media_type",
      error: expect.stringContaining("application/json"),
    });
  });

  it.each(["application/json", "application/json; charset=utf-8", "application/vnd.api+json", "Application/JSON"])(
    "accepts content of type %s",
    async (type) => {
      const { key } = await createAccount();
      expect(
        (await call("POST", "/api/links", { key, body: JSON.stringify(LINK), headers: { "Content-Type": type } }))
          .status,
      ).toBe(201);
    },
  );

  it("refuses bytes that are not UTF-8", async () => {
    const { key } = await createAccount();
    const { headers } = buildRequest("POST", "/", { key, body: {} });
    const body = new Uint8Array([
      ...new TextEncoder().encode('{"url":"https://example.com/'),
      0xff,
      ...new TextEncoder().encode('"}'),
    ]);
    const response = await send(new Request(`${BASE_URL}/api/links`, { method: "POST", headers, body }));
    expect(await errorOf(response)).toMatchObject({ status: 400, details: [{ code: "not_utf8" }] });
  });

  it("ignores the body and its content type if the operation needs none", async () => {
    const { key } = await createAccount();
    for (const options of [
      { body: "rubbish", headers: { "Content-Type": "text/plain" } },
      { headers: { "Content-Type": "text/xml" } },
    ]) {
      expect((await call("DELETE", "/api/keys/01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", { key, ...options })).status).toBe(
        404,
      );
    }
  });
});

describe("unknown paths and methods", () => {
  it.each([
    "/api",
    "/api/",
    "/api/nothing",
    "/api/links/",
    "/api/links/1/2",
    "/api//links",
    "/API/links",
    "/api/domain",
  ])("answers %s with 404", async (path) => {
    const error = await errorOf(await call("GET", path, { headers: { Accept: "application/json" } }));
    expect(error).toMatchObject({ status: 404, code: "not_found", error: expect.any(String) });
  });

  it.each([
    ["PUT", "/api/links", "GET, HEAD, POST"],
    ["POST", "/api/links/x", "DELETE, GET, HEAD, PATCH"],
    ["POST", "/api/links/upsert", "PUT"],
    ["PUT", "/api/links/bulk", "DELETE, PATCH, POST"],
    ["PROPFIND", "/api/links/x/qr", "GET, HEAD"],
    ["GET", "/api/keys/x", "DELETE, PATCH"],
    ["GET", "/api/shorten", "POST"],
    ["OPTIONS", "/api/links", "GET, HEAD, POST"],
    ["POST", "/api/openapi.json", "GET, HEAD"],
  ])("answers %s %s with 405 and the allowed methods", async (method, path, allow) => {
    const response = await call(method, path);
    expect(response.headers.get("Allow")).toBe(allow);
    expect(response.headers.get("X-Request-Id")).toMatch(UUID);
    expect(await errorOf(response)).toMatchObject({ status: 405, code: "method_not_allowed" });
  });

  it("refuses unknown query parameters everywhere", async () => {
    const { key, keyId } = await createAccount();
    const calls: [string, string, unknown?][] = [
      ["POST", "/api/links", LINK],
      ["GET", `/api/links/${keyId}`],
      ["PATCH", `/api/links/${keyId}`, LINK],
      ["DELETE", `/api/links/${keyId}`],
      ["POST", "/api/links/bulk", { links: [LINK] }],
      ["PATCH", "/api/links/bulk", { ids: [keyId], changes: LINK }],
      ["DELETE", "/api/links/bulk", { ids: [keyId] }],
      ["PUT", "/api/links/upsert", { ...LINK, slug: "x" }],
      ["GET", `/api/links/${keyId}/qr`],
      ["POST", "/api/qr", { content: "content" }],
      ["POST", "/api/shorten", LINK],
      ["POST", "/api/keys", { name: "x" }],
      ["GET", "/api/keys"],
      ["DELETE", `/api/keys/${keyId}`],
    ];
    for (const [method, path, body] of calls) {
      const error = await errorOf(await call(method, `${path}?dryRun=true`, { key, body }));
      expect({ method, path, ...error }).toMatchObject({ method, path, status: 400, details: [{ path: "dryRun" }] });
    }
  });
});

describe("every response", () => {
  it("has a unique request id and no cookie, is not cached, and can run, load and frame nothing", async () => {
    const { key } = await createAccount();
    const ids = new Set<string | null>();
    for (const path of ["/api/links", "/api/keys", "/api/nothing", "/api/auth/x"]) {
      const { headers } = await call("GET", path, { key, headers: { "X-Request-Id": "mine" } });
      ids.add(headers.get("X-Request-Id"));
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Content-Security-Policy")).toBe(
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      for (const name of ["Set-Cookie", "Server", "X-Powered-By"]) expect(headers.has(name)).toBe(false);
    }
    expect(ids.size).toBe(4);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  it("to HEAD has the status of GET and no body", async () => {
    const { key } = await createAccount();
    const response = await call("HEAD", "/api/links", { key });
    expect({ status: response.status, body: await response.text() }).toEqual({ status: 200, body: "" });
  });
});

describe("an unexpected error", () => {
  it("is a 500 without its message, which only the log line has", async () => {
    const lines: string[] = [];
    vi.spyOn(console, "error").mockImplementation((line: string) => void lines.push(line));
    const { key } = await createAccount();
    const response = await send(buildRequest("GET", "/api/links?search=private-words", { key }), {
      DB: failingDatabase("no such table: private_table"),
    });
    const requestId = response.headers.get("X-Request-Id");
    const text = await response.clone().text();
    expect(await errorOf(response)).toEqual({
      status: 500,
      code: "internal",
      error: expect.stringContaining(requestId ?? "?"),
    });
    expect(text).not.toMatch(/private_table|at |\.ts|SELECT/);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      event: "request_failed",
      requestId,
      path: "/api/links",
      error: expect.stringContaining("private_table"),
    });
    expect(lines[0]).not.toMatch(/private-words|svc_sk/);
  });

  it.each([
    ["GET", "/api/links", undefined, "The database did not respond. Try again."],
    [
      "POST",
      "/api/links",
      { url: "https://example.com/" },
      "The database did not respond. The change may have been applied; check before retrying.",
    ],
  ])("of the database is a 503 with Retry-After if it is transient: %s", async (method, path, body, error) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { key } = await createAccount();
    const response = await send(buildRequest(method, path, { key, body }), {
      DB: failingDatabase("D1_ERROR: Network connection lost."),
    });
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await errorOf(response)).toMatchObject({ status: 503, code: "unavailable", error });
  });
});
