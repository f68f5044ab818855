import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_PASSWORD_FORM_BYTES, PASSWORD_COOKIE_TTL_MS } from "../../../src/limits.ts";
import { hashPassword } from "../../../src/platform/lib/password.ts";
import type { Link } from "../../../src/links/contract.ts";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import {
  buildRequest,
  call,
  createAccount,
  createLink,
  send,
  takeSentClicks,
  takeSentVisits,
} from "../../support/api.ts";
import { cookieOf, guess, PASSWORD, visitWith } from "../../support/password.ts";
import { MAX_PASSWORD_COOKIES_PER_REQUEST } from "../../../src/redirect/limits.ts";

const DESTINATION = "https://example.com/hidden?a=1";

let key: string;
let link: Link;
beforeEach(async () => {
  ({ key } = await createAccount());
  link = await createLink(key, { slug: "Secret", url: DESTINATION, password: PASSWORD });
});

function patch(body: unknown, id = link.id): Promise<Response> {
  return call("PATCH", `/api/links/${id}`, { key, body });
}

describe("without the password", () => {
  it("shows the password page without the destination", async () => {
    for (const method of ["GET", "HEAD"]) {
      for (const agent of ["Mozilla/5.0 Firefox/140.0", "Googlebot/2.1", "Twitterbot/1.0", "curl/8.5.0"]) {
        const response = await call(method, "/secret?b=2", { headers: { "User-Agent": agent } });
        expect(response.status).toBe(401);
        expect(response.headers.get("Location")).toBeNull();
        expect(response.headers.get("Cache-Control")).toBe("no-store");
        expect(response.headers.get("X-Robots-Tag")).toBe("noindex");
        const html = await response.text();
        expect(html + JSON.stringify([...response.headers])).not.toContain("example.com");
        if (method === "GET") expect(html).toMatch(/<form method="post">.* type="password"/);
        expect(html).not.toContain("<script");
      }
    }
    expect(takeSentClicks()).toEqual([]);
  });

  it("returns a JSON error to a program", async () => {
    const response = await call("GET", "/secret", { headers: { Accept: "application/json" } });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/password/), code: "password_required" });
  });

  it("refuses a wrong password, and ignores one in the query", async () => {
    for (const [path, password] of [
      ["/secret", "wrong horse"],
      ["/secret", `${PASSWORD} `],
      ["/secret", "x".repeat(1_000)],
      [`/secret?password=${PASSWORD}`, "wrong horse"],
    ] as const) {
      const response = await guess(path, password);
      expect(response.status).toBe(403);
      expect(await response.text()).toMatch(/<h1>That is not the password<\/h1>.*<form method="post">/);
      expect([response.headers.get("Set-Cookie"), response.headers.get("Location")]).toEqual([null, null]);
    }
    const json = await guess("/secret", "wrong horse", { headers: { Accept: "application/json" } });
    expect([json.status, await json.json()]).toMatchObject([403, { code: "wrong_password" }]);
    expect((await call("GET", `/secret?password=${PASSWORD}`)).status).toBe(401);
  });

  it("asks again for an empty password", async () => {
    for (const body of ["", "password=", "a=b", "password"]) {
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      expect((await call("POST", "/secret", { body, headers })).status).toBe(401);
    }
  });

  it.each([
    ["application/json", JSON.stringify({ password: PASSWORD }), 415],
    ["text/plain", `password=${PASSWORD}`, 415],
    [
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nx\r\n--x--',
      415,
    ],
    ["application/x-www-form-urlencoded", `password=${"x".repeat(MAX_PASSWORD_FORM_BYTES)}`, 413],
  ])("refuses a body of %s", async (type, body, status) => {
    const response = await call("POST", "/secret", { body, headers: { "Content-Type": type } });
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(/^<!doctype html>.*application\/x-www-form-urlencoded|bytes/);
    expect(response.headers.get("Set-Cookie")).toBeNull();
  });

  it("refuses a POST to a link without a password and to a destination preview", async () => {
    await createLink(key, { slug: "open" });
    for (const path of ["/open", "/open+", "/secret+", "/unknown", "/"]) {
      const response = await guess(path, PASSWORD);
      expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    }
    expect(await (await guess("/open?a=%22", PASSWORD)).text()).toContain('<a href="/open?a=%22">Back to the link</a>');
  });
});

describe("with the password", () => {
  it("redirects to the same URL, which then redirects to the destination with the visitor's parameters", async () => {
    const right = await guess("/Secret?b=2", PASSWORD);
    expect([right.status, right.headers.get("Location")]).toEqual([303, "/Secret?b=2"]);
    expect(right.headers.get("Cache-Control")).toBe("no-store");
    expect(takeSentClicks()).toEqual([]);
    const followed = await visitWith("/Secret?b=2", cookieOf(right));
    expect([followed.status, followed.headers.get("Location")]).toEqual([302, `${DESTINATION}&b=2`]);
    expect(takeSentVisits().map(([, id]) => id)).toEqual([link.id]);
  });

  it("sets one cookie for this path and an hour, out of reach of scripts", async () => {
    const secure = await guess("/SECRET/", PASSWORD);
    const [value, ...attributes] = secure.headers.get("Set-Cookie")?.split("; ") ?? [];
    expect(value).toMatch(/^__Secure-link_permission=/);
    expect(attributes).toEqual(["Path=/SECRET", "Max-Age=3600", "HttpOnly", "SameSite=Lax", "Secure"]);
    const plain = await guess("http://tern.test/secret", PASSWORD);
    expect(plain.headers.get("Set-Cookie")).toMatch(/^link_permission=(?!.*Secure)/);
    // A cookie that a site over http could have set is of no use over https.
    const renamed = cookieOf(secure).replace("__Secure-", "");
    expect((await visitWith("/SECRET", renamed)).status).toBe(401);
    expect((await visitWith("http://tern.test/secret", cookieOf(plain))).status).toBe(302);
    expect(plain.headers.get("Set-Cookie")).not.toContain(PASSWORD);
  });

  it.each(["/secret", "/SECRET", "/secret/", "/%53ecret", "/%53ecret/?a=b"])(
    "sets a cookie that is valid for %s",
    async (path) => {
      const response = await guess(path, PASSWORD);
      const [, cookiePath = ""] = /Path=([^;]+)/.exec(response.headers.get("Set-Cookie") ?? "") ?? [];
      const location = new URL(response.headers.get("Location") ?? "", "https://tern.test");
      expect(location.pathname).toBe(cookiePath);
      expect((await visitWith(location.href, cookieOf(response))).status).toBe(302);
    },
  );

  it("accepts any Unicode composition of the password, and full-width letters", async () => {
    await patch({ password: "cafe\u0301 🐦 & = +%" });
    for (const typed of ["caf\u00e9 🐦 & = +%", "\uff43\uff41\uff46\u00e9 🐦 & = +%"])
      expect((await guess("/secret", typed)).status).toBe(303);
    expect((await guess("/secret", "cafe 🐦 & = +%")).status).toBe(403);
  });

  it("makes the redirect uncacheable", async () => {
    await createLink(key, { slug: "moved", redirectStatus: 301, password: PASSWORD });
    const response = await visitWith("/moved", cookieOf(await guess("/moved", PASSWORD)));
    expect([response.status, response.headers.get("Cache-Control")]).toEqual([301, "no-store"]);
  });

  it("redirects HEAD too, and counts nothing", async () => {
    const cookie = cookieOf(await guess("/secret", PASSWORD));
    expect((await call("HEAD", "/secret", { headers: { Cookie: cookie } })).status).toBe(302);
    expect(takeSentClicks()).toEqual([]);
  });
});

describe("the cookie", () => {
  let cookie: string;
  beforeEach(async () => {
    cookie = cookieOf(await guess("/secret", PASSWORD));
    expect((await visitWith("/secret", cookie)).status).toBe(302);
  });

  it("is found among other cookies, also of the same name", async () => {
    const cookies = `a=b; __Secure-link_permission=1.x; __Secure-link_permission=9999999999999.AAAA;${cookie}; c="d; e"`;
    expect((await visitWith("/secret", cookies)).status).toBe(302);
  });

  it("is searched for in a bounded number of cookies", async () => {
    const verify = vi.spyOn(crypto.subtle, "verify");
    const others = (count: number) => "__Secure-link_permission=9999999999999.AAAA; ".repeat(count);
    const asked = [others(MAX_PASSWORD_COOKIES_PER_REQUEST - 1) + cookie, others(1_000) + cookie];
    const statuses = await Promise.all(asked.map(async (cookies) => (await visitWith("/secret", cookies)).status));
    expect(statuses).toEqual([302, 401]);
    expect(verify).toHaveBeenCalledTimes(2 * MAX_PASSWORD_COOKIES_PER_REQUEST);
  });

  it("is not valid for another link", async () => {
    await createLink(key, { slug: "other", password: PASSWORD });
    expect((await visitWith("/other", cookie)).status).toBe(401);
  });

  it("is not valid for a later link with the slug", async () => {
    await call("DELETE", `/api/links/${link.id}`, { key });
    await createLink(key, { slug: "secret", password: PASSWORD });
    expect((await visitWith("/secret", cookie)).status).toBe(401);
  });

  it("is not valid on another host, even for the same link", async () => {
    await env.DB.prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, verified_at, created_at, updated_at)
       SELECT 'domain', account_id, 'go.example.com', '', 'verified', 0, 0, 0 FROM links WHERE id = ?1`,
    )
      .bind(link.id)
      .run();
    await env.DB.prepare("UPDATE links SET domain = 'go.example.com' WHERE id = ?1").bind(link.id).run();
    const there = "https://go.example.com/secret";
    expect((await visitWith(there, cookie)).status).toBe(401);
    expect((await visitWith(there, cookieOf(await guess(there, PASSWORD)))).status).toBe(302);
  });

  it("expires after an hour", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    cookie = cookieOf(await guess("/secret", PASSWORD));
    vi.setSystemTime(Date.now() + PASSWORD_COOKIE_TTL_MS - 1);
    expect((await visitWith("/secret", cookie)).status).toBe(302);
    vi.setSystemTime(Date.now() + 1);
    expect((await visitWith("/secret", cookie)).status).toBe(401);
  });

  it("is valid after the same password was set again, invalid after another was, and not needed after it was removed", async () => {
    await patch({ title: "another title" });
    expect((await visitWith("/secret", cookie)).status).toBe(302);
    await patch({ password: PASSWORD });
    expect((await visitWith("/secret", cookie)).status).toBe(302);
    await patch({ password: "battery staple" });
    expect((await visitWith("/secret", cookie)).status).toBe(401);
    expect((await guess("/secret", PASSWORD)).status).toBe(403);
    expect((await guess("/secret", "battery staple")).status).toBe(303);
    await patch({ password: null });
    expect((await call("GET", "/secret")).status).toBe(302);
    expect((await guess("/secret", PASSWORD)).status).toBe(405);
  });

  it("is invalid after any change to it", async () => {
    const [name, until = "", signature = ""] = cookie.split(/[=.]/);
    const later = String(Number(until) + 1);
    const other = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    for (const value of [
      `${later}.${signature}`,
      `${until}.${other}`,
      `${until}.`,
      until,
      `${until}.${signature}==`,
      "",
    ])
      expect([value, (await visitWith("/secret", `${name}=${value}`)).status]).toEqual([value, 401]);
  });

  it("is invalid under another encryption key, and valid under an older one that is still configured", async () => {
    const request = () => buildRequest("GET", "/secret", { headers: { Cookie: cookie } });
    const another = `new:${btoa("x".repeat(32))}`;
    expect((await send(request(), { ENCRYPTION_KEYS: another })).status).toBe(401);
    expect((await send(request(), { ENCRYPTION_KEYS: `${another},${env.ENCRYPTION_KEYS}` })).status).toBe(302);
  });
});

it("accepts the new password while the memory cache still has the old one", async () => {
  await call("GET", "/secret");
  const hash = await hashPassword(env.ENCRYPTION_KEYS, link.id, "battery staple");
  // Like a change in another data centre, which is not published here.
  await env.DB.prepare("UPDATE links SET password_hash = ?1, updated_at = updated_at + 1 WHERE slug = 'Secret'")
    .bind(hash)
    .run();
  expect((await guess("/secret", PASSWORD)).status).toBe(403);
  const cookie = cookieOf(await guess("/secret", "battery staple"));
  expect((await visitWith("/secret", cookie)).status).toBe(302);
  memoryCache.clear();
  expect((await visitWith("/secret", cookie)).status).toBe(302);
});

it("accepts the password of another link that has the slug now", async () => {
  await call("GET", "/secret");
  await createLink(key, { slug: "newer", password: "battery staple" });
  await env.DB.batch([
    env.DB.prepare("DELETE FROM links WHERE id = ?1").bind(link.id),
    env.DB.prepare("UPDATE links SET slug = 'Secret', updated_at = updated_at + 1 WHERE slug = 'newer'"),
  ]);
  // The guess was counted for the former link, so the page of the present link comes first.
  expect((await guess("/secret", "battery staple")).headers.get("Set-Cookie")).toBeNull();
  const cookie = cookieOf(await guess("/secret", "battery staple"));
  expect((await visitWith("/secret", cookie)).status).toBe(302);
});
