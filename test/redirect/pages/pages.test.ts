import { beforeEach, expect, it } from "vitest";
import { call, createAccount, createLink } from "../../support/api.ts";

beforeEach(async () => {
  const { key } = await createAccount();
  await createLink(key, { slug: "gone", maxClicks: 1 });
  await call("GET", "/gone");
});

const MESSAGES: [string, string, number, string][] = [
  ["GET", "/unknown", 404, "not_found"],
  ["GET", "/gone", 410, "gone"],
  ["POST", "/gone", 405, "method_not_allowed"],
];

it.each(MESSAGES)("responds with a page to a browser for %s %s", async (method, path, status) => {
  const response = await call(method, path, { headers: { Accept: "text/html,application/json;q=0.9,*/*;q=0.8" } });
  expect(response.status).toBe(status);
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  const html = await response.text();
  expect(html).toMatch(/^<!doctype html><html lang="en" dir="ltr">.*<h1>[^<]+<\/h1>/);
  expect(html).not.toMatch(/<script|undefined|\[object/);
});

it.each(MESSAGES)(
  "responds with a JSON error to a client that accepts JSON for %s %s",
  async (method, path, status, code) => {
    const response = await call(method, path, { headers: { Accept: "application/json" } });
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toEqual({ error: expect.stringMatching(/^[A-Z].*\.$/), code });
  },
);

it.each(MESSAGES)("protects the page for %s %s against framing, indexing and scripts", async (method, path) => {
  const { headers } = await call(method, path);
  expect(headers.get("Content-Security-Policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Referrer-Policy")).toBe("no-referrer");
  expect(headers.get("X-Robots-Tag")).toBe("noindex");
});

it("shows nothing of the request on a page", async () => {
  const marker = "marker-1234";
  const headers = { "User-Agent": marker, Referer: `https://example.com/${marker}`, Cookie: `a=${marker}` };
  for (const path of [`/${marker}`, `/x?q=${marker}`, `/%22%3E${marker}`, `https://${marker}.test/x`]) {
    const response = await call("GET", path, { headers });
    expect((await response.text()) + JSON.stringify([...response.headers])).not.toContain(marker);
  }
});

it("has a robots.txt and an icon", async () => {
  const robots = await call("GET", "/robots.txt");
  expect([robots.status, robots.headers.get("Content-Type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(await robots.text()).toBe("User-agent: *\nDisallow: /api/\n");

  const icon = await call("GET", "/favicon.ico");
  expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/x-icon"]);
  const bytes = new Uint8Array(await icon.arrayBuffer());
  // An icon file with one PNG image of the length in its header.
  expect([...bytes.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  const directory = new DataView(bytes.buffer);
  expect(directory.getUint32(14, true) + directory.getUint32(18, true)).toBe(bytes.length);
  expect([...bytes.subarray(directory.getUint32(18, true)).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
});

it.each(["/robots.txt", "/favicon.ico"])("makes %s cacheable, and responds to HEAD without a body", async (path) => {
  const response = await call("HEAD", path);
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toMatch(/^public, max-age=\d+$/);
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(await response.text()).toBe("");
});

it("has no home page, robots.txt or icon on another host", async () => {
  for (const path of ["/", "/robots.txt", "/favicon.ico", "/.well-known/assetlinks.json"])
    expect((await call("GET", `https://other.test${path}`)).status).toBe(404);
});

it("sets no cookie and names no software", async () => {
  for (const path of ["/", "/unknown", "/gone", "/robots.txt", "/favicon.ico"]) {
    const { headers } = await call("GET", path);
    for (const name of ["Set-Cookie", "Server", "X-Powered-By", "Via"]) expect(headers.get(name)).toBeNull();
  }
});
