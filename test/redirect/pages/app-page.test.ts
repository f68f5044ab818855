import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { LANGUAGES } from "../../../src/platform/languages.ts";
import { call, send } from "../../support/api.ts";

it.each([
  ["/", "home"],
  ["/docs", "guide"],
  ["/docs/api/links", "guide"],
  ["/docs/reference", "docs"],
  ["/app", "app"],
  ["/app/", "app"],
  ["/app/links/1?tag=a", "app"],
])("serves the page at %s", async (path, name) => {
  const response = await call("GET", path);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(response.headers.get("X-Robots-Tag")).toBe(name === "app" ? "noindex" : null);
  const text = await response.text();
  expect(text).toMatch(new RegExp(`src="/_app/assets/${name}-[\\w-]+\\.js"`));
});

it("allows no code but the service's own, with a new nonce in each response", async () => {
  const nonces = new Set<string>();
  for (const path of ["/app", "/app", "/", "/docs", "/docs/reference"]) {
    const response = await call("GET", path);
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    for (const rule of ["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(policy.split("; ")).toContain(rule);
    const headers = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" };
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
    const nonce = /script-src 'self' 'nonce-([^']{22,})'/.exec(policy)?.[1] ?? "";
    const text = await response.text();
    expect(text).not.toContain("__NONCE__");
    const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    for (const tag of scripts) expect(tag).toContain(`nonce="${nonce}"`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(5);
});

it("lets other sites show only shared pages that are made for frames", async () => {
  const ancestorsOf = async (path: string) =>
    /frame-ancestors [^;]+/.exec((await call("GET", path)).headers.get("Content-Security-Policy") ?? "")?.[0];
  expect(await ancestorsOf("/app/embed/abc")).toBe("frame-ancestors *");
  expect(await ancestorsOf("/app/embed/abc?theme=dark")).toBe("frame-ancestors *");
  for (const path of [
    "/app/embed",
    "/app/embed/",
    "/app/embed/a/b",
    "/app/shared/abc",
    "/app/links",
    "/app/x/app/embed/a",
  ])
    expect(await ancestorsOf(path), path).toBe("frame-ancestors 'none'");
});

it("makes browsers that may be signed in read the session at once, and no others", async () => {
  const preloadOf = async (path: string, cookie: string) =>
    (await call("GET", path, { headers: { Cookie: cookie } })).headers.get("Link");
  for (const cookie of ["tern=abc", "tern-device=1; __Host-tern=abc"])
    expect(await preloadOf("/app/links", cookie)).toBe("</api/auth/session>; rel=preload; as=fetch; crossorigin");
  for (const cookie of ["", "tern-device=1", "lantern=1"]) expect(await preloadOf("/app/links", cookie)).toBeNull();
  for (const path of ["/app", "/app/", "/app/settings/keys?a=b"])
    expect(await preloadOf(path, "tern=abc")).toContain("/api/auth/session");
  for (const path of ["/", "/docs", "/app/verify-email", "/app/confirm-email", "/app/shared/abc", "/app/linksx"])
    expect(await preloadOf(path, "tern=abc")).toBeNull();
});

it("says whether the visitor may be signed in", async () => {
  const pageFor = async (path: string, cookie: string) =>
    (await call("GET", path, { headers: { Cookie: cookie } })).text();
  for (const path of ["/app/sign-in", "/app/links", "/docs"]) {
    expect(await pageFor(path, "a=1; __Host-tern=abc")).toContain('data-session="true"');
    expect(await pageFor(path, "tern-device=1")).toContain('data-session="false"');
  }
});

it("has the page in the language that was chosen, or else that the browser prefers", async () => {
  const read = async (path: string, headers: Record<string, string>) => {
    const response = await call("GET", path, { headers });
    const [, lang] = /<html lang="([a-z]+)"/.exec(await response.text()) ?? [];
    expect(response.headers.get("Content-Language")).toBe(lang);
    expect(response.headers.get("Vary")).toBe("Accept-Language, Cookie");
    return lang;
  };
  for (const language of Object.keys(LANGUAGES)) {
    for (const path of ["/", "/app", "/app/links"]) {
      expect(await read(path, { "Accept-Language": `fr, ${language}-CH;q=0.9, en;q=0.8` })).toBe(language);
      expect(await read(path, { "Accept-Language": "fr", Cookie: `a=1; tern-language=${language}` })).toBe(language);
      expect(await read(path, { "Accept-Language": language, Cookie: "tern-language=fr" })).toBe(language);
    }
    for (const path of ["/docs/reference", "/app/admin", "/app/admin/reports?limit=1"])
      expect(await read(path, { "Accept-Language": language, Cookie: `tern-language=${language}` })).toBe("en");
    expect(await read("/app/administration", { "Accept-Language": language })).toBe(language);
  }
});

it("has no page on another host, and none with another method", async () => {
  for (const path of ["/docs/reference", "/docs/api/links", "/app", "/app/links"]) {
    expect((await call("GET", `https://other.test${path}`)).status).toBe(404);
    expect((await call("POST", path)).status).toBe(405);
  }
});

it("sends browsers from an address of this machine to localhost, where passkeys work", async () => {
  const local = { ...env, BASE_URL: "" };
  for (const host of ["127.0.0.1", "[::1]"]) {
    const response = await send(new Request(`http://${host}:8787/app/links?tag=a`, { redirect: "manual" }), local);
    expect([response.status, response.headers.get("Location")]).toEqual([307, "http://localhost:8787/app/links?tag=a"]);
  }
  expect((await send(new Request("http://localhost:8787/app"), local)).status).toBe(200);
});
