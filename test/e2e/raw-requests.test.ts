import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_REFUSED_BODY_BYTES } from "../../src/platform/http/limits.ts";
import { MAX_BODY_BYTES } from "../../src/limits.ts";
import { createAccount, createLink } from "./support/accounts.ts";
import { startService, type Service } from "./support/service.ts";

// Request lines and headers that no client library sends, as bytes on a socket.

let service: Service<"here">;
let key: string;

beforeAll(async () => {
  service = await startService({ here: "one" });
  ({ key } = await createAccount(service.db));
  await createLink(service.isolates.here, key, { url: "https://example.com/page?own=1#part", slug: "raw" });
  await createLink(service.isolates.here, key, { url: "https://example.com/", slug: "locked", password: "pass-word" });
});
afterAll(() => service.stop());

/** Sends bytes (Latin-1) and reads the response until the connection is closed. */
async function send(bytes: string): Promise<{ status: number; headers: string[]; body: string }> {
  const { hostname, port } = service.isolates.here.address;
  const socket = connect(Number(port), hostname);
  socket.write(bytes, "latin1");
  const [head = "", body = ""] = (await text(socket.setEncoding("latin1"))).split("\r\n\r\n");
  const [statusLine = "", ...headers] = head.split("\r\n");
  return { status: Number(statusLine.split(" ")[1]), headers, body };
}

function get(target: string, ...headers: string[]) {
  const sent = ["Host: tern.test", ...headers, "Connection: close"];
  return send(`GET ${target} HTTP/1.1\r\n${sent.map((header) => `${header}\r\n`).join("")}\r\n`);
}

const locationOf = ({ headers }: { headers: string[] }) =>
  headers.find((header) => header.toLowerCase().startsWith("location: "))?.slice("location: ".length);

it.each([
  ["encoded line breaks", "a=%0d%0aSet-Cookie:b=1", "a=%0d%0aSet-Cookie:b=1"],
  ["a fragment", "a=1#evil", "a=1"],
  ["another URL", "url=https://evil.example/&//evil.example", "url=https://evil.example/&//evil.example"],
  ["many question marks", "?a=1?b=2", "?a=1?b=2"],
  ["bare percent signs", "%=1&%u0041=2&%", "%=1&%u0041=2&%"],
])("keeps the destination when the query contains %s", async (_, query, added) => {
  const answer = await get(`/raw?${query}`);
  expect(answer.status).toBe(302);
  expect(locationOf(answer)).toBe(`https://example.com/page?own=1&${added}#part`);
  expect(answer.headers.map((header) => header.split(":")[0]).sort()).toEqual([
    "Cache-Control",
    "Connection",
    "Content-Length",
    "Location",
    "X-Request-Id",
  ]);
});

it.each([
  ["bytes outside ASCII", "\u00e9=\u00ff&b=\u00c3\u00a9"],
  ["quotes and brackets", 'a="<b>"\'`{}|\\^'],
  ["a tab", "a=\t1"],
])("refuses the request or keeps the destination when the query contains %s", async (_, query) => {
  // The runtime may refuse such a request before the Worker gets it.
  const answer = await get(`/raw?${query}`);
  expect([302, 400]).toContain(answer.status);
  if (answer.status === 302) expect(locationOf(answer)).toMatch(/^https:\/\/example\.com\/page\?own=1&[\x21-\x7e]+$/);
});

it.each([
  "//evil.example/raw",
  "/\\evil.example",
  "/.//evil.example",
  "/raw/../../evil.example",
  "/https://evil.example",
  "/@evil.example",
  "/%2f%2fevil.example",
])("responds 404 without a redirect for %s", async (target) => {
  const answer = await get(target);
  expect(answer.status).toBe(404);
  expect(locationOf(answer)).toBeUndefined();
});

it.each([
  ["Host: evil.example", 404],
  ["Host: tern.test.evil.example", 404],
  ["Host: evil.example#tern.test", 404],
  ["Host: TERN.TEST", 302],
])("finds the link's domain by the host alone: %s", async (host, status) => {
  const answer = await send(`GET /raw HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
  expect(answer.status).toBe(status);
  if (status === 302) expect(locationOf(answer)).toBe("https://example.com/page?own=1#part");
});

it("ignores headers that name another URL or method", async () => {
  const names = ["Original-URL", "Rewrite-URL", "Forwarded-Host", "Forwarded-Prefix", "HTTP-Method-Override"];
  const answer = await get("/raw", ...names.map((name) => `X-${name}: //evil.example/DELETE`));
  expect(answer.status).toBe(302);
  expect(locationOf(answer)).toBe("https://example.com/page?own=1#part");
});

it("responds to HEAD without a body and keeps the connection usable", async () => {
  const request = (method: string, extra = "") => `${method} /raw HTTP/1.1\r\nHost: tern.test\r\n${extra}\r\n`;
  const { here } = service.isolates;
  const socket = connect(Number(here.address.port), here.address.hostname);
  socket.write(request("HEAD") + request("HEAD").replace("/raw", "/unknown") + request("GET", "Connection: close\r\n"));
  const received = await text(socket);
  expect(received.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 302", "HTTP/1.1 404", "HTTP/1.1 302"]);
  expect(received).not.toContain("<html");
});

const FORM = "application/x-www-form-urlencoded";

it.each([
  ["/api/links", "application/json", '2\r\n{"\r\nno length'],
  ["/api/links/bulk", "application/json", "no length"],
  ["/locked", FORM, "9\r\npassword=\r\nno length"],
])("responds 400 to a broken body for %s", async (path, contentType, chunks) => {
  const lines = service.logLines.length;
  const headers = ["Host: tern.test", `Authorization: Bearer ${key}`, `Content-Type: ${contentType}`];
  const sent = [`POST ${path} HTTP/1.1`, ...headers, "Accept: application/json", "Transfer-Encoding: chunked"];
  const answer = await send(`${sent.join("\r\n")}\r\nConnection: close\r\n\r\n${chunks}\r\n`);
  expect(answer.status).toBe(400);
  // The form for a link's password is no operation of the API.
  const details = path.startsWith("/api/") ? [{ code: "cut_body" }] : undefined;
  expect(JSON.parse(answer.body)).toMatchObject({ code: "invalid_request", ...(details && { details }) });
  expect(service.logLines.slice(lines).filter((line) => line.includes('"request_failed"'))).toEqual([]);
});

const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`;

it.each([
  ["ends", chunk(MAX_BODY_BYTES + 1), "0\r\n\r\n"],
  ["goes on for as long as it is read", chunk(MAX_BODY_BYTES) + chunk(MAX_REFUSED_BODY_BYTES), "0\r\n\r\n"],
  ["never ends", chunk(MAX_BODY_BYTES + 1), ""],
  ["stops in a chunk", chunk(MAX_BODY_BYTES + 1), "ffff\r\nx"],
])("answers a body without a length that is too large and %s with a 413", async (_, chunks, end) => {
  const headers = ["Host: tern.test", `Authorization: Bearer ${key}`, "Content-Type: application/json"];
  const sent = ["POST /api/links HTTP/1.1", ...headers, "Transfer-Encoding: chunked", "Connection: close"];
  const answer = await send(`${sent.join("\r\n")}\r\n\r\n${chunks}${end}`);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    413,
    {
      error: expect.stringContaining(`at most ${MAX_BODY_BYTES} bytes`),
      code: "payload_too_large",
      details: [{ path: "", code: "body_too_large", message: expect.any(String), max: MAX_BODY_BYTES }],
    },
  ]);
});
