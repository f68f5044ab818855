import { beforeEach, describe, expect, it } from "vitest";
import { call, createLink, key, startAccount } from "../support/api.ts";

beforeEach(startAccount);

async function locationOf(path: string): Promise<string | null> {
  return (await call("GET", path)).headers.get("Location");
}

it("redirects to the destination, on the first visit and on later ones", async () => {
  await createLink(key, { slug: "spring", url: "https://example.com/page?a=1#top" });
  for (let visit = 0; visit < 3; visit++) {
    const response = await call("GET", "/spring");
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("https://example.com/page?a=1#top");
    expect(await response.text()).toBe("");
  }
});

it("responds to HEAD like to GET, without a body", async () => {
  await createLink(key, { slug: "head", url: "https://example.com/" });
  for (const path of ["/head", "/unknown"]) {
    const [get, head] = [await call("GET", path), await call("HEAD", path)];
    expect(head.status).toBe(get.status);
    expect(head.headers.get("Location")).toBe(get.headers.get("Location"));
    expect(head.headers.get("Cache-Control")).toBe(get.headers.get("Cache-Control"));
    expect(await head.text()).toBe("");
  }
});

it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("responds to %s with 405 and Allow", async (method) => {
  await createLink(key, { slug: "only-get" });
  for (const path of ["/only-get", "/unknown", "/"]) {
    const response = await call(method, path);
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET, HEAD");
    expect(response.headers.get("Location")).toBeNull();
  }
});

it("allows POST, besides GET and HEAD, only at a link with a password", async () => {
  await createLink(key, { slug: "open" });
  await createLink(key, { slug: "secret", password: "correct horse" });
  const allowed = { "/open": "GET, HEAD", "/secret": "GET, HEAD, POST", "/secret+": "GET, HEAD", "/a/b": "GET, HEAD" };
  for (const method of ["PUT", "DELETE", "OPTIONS", "PROPFIND"]) {
    for (const [path, allow] of Object.entries(allowed)) {
      const response = await call(method, path);
      expect([response.status, response.headers.get("Allow")]).toEqual([405, allow]);
    }
  }
});

it.each([301, 302, 307, 308])("redirects with the link's status %i", async (redirectStatus) => {
  await createLink(key, { slug: "coded", redirectStatus });
  expect((await call("GET", "/coded")).status).toBe(redirectStatus);
  expect((await call("GET", "/coded")).status).toBe(redirectStatus);
});

describe("a printed slug", () => {
  beforeEach(() => createLink(key, { slug: "Spring-26_x", url: "https://example.com/" }));

  it.each(["/Spring-26_x", "/spring-26_x", "/SPRING-26_X", "/Spring-26_x/", "/%53pring-26_x", "/Spring%2D26%5Fx/"])(
    "is found when typed as %s",
    async (path) => {
      expect(await locationOf(path)).toBe("https://example.com/");
    },
  );

  it.each(["/Spring-26", "/Spring-26_x/more", "/%ff", "/Spring-26_x@evil.example", `/${"a".repeat(65)}`, "/%25%32%65"])(
    "is not found when typed as %s",
    async (path) => {
      const response = await call("GET", path);
      expect(response.status).toBe(404);
      expect(response.headers.get("Location")).toBeNull();
    },
  );
});

it("finds slugs of one character and of 64", async () => {
  for (const slug of ["x", "y".repeat(64)]) {
    await createLink(key, { slug });
    expect((await call("GET", `/${slug}`)).status).toBe(302);
  }
});

it("does not serve a link of the service domain on another host", async () => {
  await createLink(key, { slug: "own" });
  // Also when both caches have the link, and on hosts that look like part of a cache key.
  for (let visit = 0; visit < 2; visit++) {
    expect((await call("GET", "/own")).status).toBe(302);
    for (const host of ["other.test", "own", "sub.tern.test", "tern.test.evil.example", "tern.test:8443"]) {
      expect((await call("GET", `https://${host}/own`)).status).toBe(404);
    }
  }
});

it("serves a link over http and https", async () => {
  await createLink(key, { slug: "scheme" });
  for (const origin of ["http://tern.test", "https://tern.test", "https://TERN.test", "https://tern.test."]) {
    expect((await call("GET", `${origin}/scheme`)).status).toBe(302);
  }
});

it("does not serve the API on another host", async () => {
  const get = await call("GET", "https://other.test/api/openapi.json");
  expect(get.status).toBe(404);
  expect(get.headers.get("Content-Type")).toMatch(/^text\/html/);
  const post = await call("POST", "https://other.test/api/shorten", { body: { url: "https://example.com/" } });
  expect(post.status).toBe(405);
  const list = await call("GET", "https://other.test/api/links", { key, headers: { Accept: "application/json" } });
  expect([list.status, await list.json()]).toEqual([404, { error: expect.any(String), code: "not_found" }]);
});

it("gives every response its own request id", async () => {
  await createLink(key, { slug: "id" });
  await createLink(key, { slug: "id-of-ended", maxClicks: 1 });
  // First one after the other, from the database and the memory cache; then all in parallel.
  const hot = [await call("GET", "/id"), await call("GET", "/id"), await call("GET", "/id")];
  const paths = ["/id", "/id", "/id/", "/id-of-ended", "/id-of-ended", "/unknown", "/%", "/", "/robots.txt"];
  const later = await Promise.all([
    ...paths.map((path) => call("GET", path)),
    call("HEAD", "/id"),
    call("POST", "/id"),
    call("GET", "/favicon.ico"),
    call("GET", "https://other.test/"),
  ]);
  const responses = [...hot, ...later];
  const ids = responses.map((response) => response.headers.get("X-Request-Id"));
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(responses.length);
});

it("sends no headers but the redirect's own", async () => {
  await createLink(key, { slug: "bare" });
  for (let visit = 0; visit < 2; visit++) {
    const { headers } = await call("GET", "/bare");
    expect([...headers.keys()].sort()).toEqual([
      "cache-control",
      "location",
      "strict-transport-security",
      "x-request-id",
    ]);
  }
});
