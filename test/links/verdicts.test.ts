import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { createJobContext } from "#src/platform/context.ts";
import { setVerdicts } from "#src/links/set-verdicts.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import {
  isUntrusted,
  packVerdict,
  unpackVerdict,
  VERDICT_REASONS,
  VERDICT_STATES,
  type Verdict,
} from "#src/redirect/verdict.ts";
import { call, createLink, key, startAccount, takeSentVisits } from "../support/api.ts";
import { Browser } from "../identity/people/support.ts";
import { PASSWORD } from "../support/password.ts";
import { claim, linksOf, shorten, signInWith } from "./claims-support.ts";

const SINCE = Date.parse("2030-01-01");
const BLOCKED: Verdict = { state: "blocked", reason: "phishing", since: SINCE };
const WARNED: Verdict = { state: "warned", reason: "lookalike", since: SINCE };

beforeEach(startAccount);

async function judge(id: string, verdict: Verdict): Promise<number> {
  const ctx = createExecutionContext();
  const changed = await setVerdicts(createJobContext(env, ctx, Date.now()), new Map([[id, verdict]]));
  await waitOnExecutionContext(ctx);
  return changed.length;
}

async function distrust(id: string, verdict: Verdict): Promise<void> {
  const packed = packVerdict(verdict, true);
  await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1 WHERE id = ?2")
    .bind(packed, id)
    .run();
  memoryCache.clear();
}

it("packs every state and reason, with and without trust and a time, into one number", () => {
  for (const state of VERDICT_STATES)
    for (const reason of [null, ...VERDICT_REASONS])
      for (const since of [null, SINCE])
        for (const untrusted of [false, true]) {
          const packed = packVerdict({ state, reason, since }, untrusted);
          expect([unpackVerdict(packed), isUntrusted(packed)]).toEqual([{ state, reason, since }, untrusted]);
          expect(Number.isSafeInteger(packed)).toBe(true);
        }
  expect(packVerdict({ state: "allowed", reason: null, since: null }, false)).toBe(0);
});

it("shows the verdict in the API, as a new version of the link, and keeps one that stays the same", async () => {
  const link = await createLink(key, { slug: "judged" });
  expect(link.verdict).toEqual({ state: "allowed", reason: null, since: null });
  expect(await judge(link.id, BLOCKED)).toBe(1);
  expect(await judge(link.id, { ...BLOCKED, since: SINCE + 1 })).toBe(0);
  const after = await (await call("GET", `/api/links/${link.id}`, { key })).json<{ link: typeof link }>();
  expect(after.link.verdict).toEqual(BLOCKED);
  expect(after.link.updatedAt).toBeGreaterThan(link.updatedAt);
});

it("emits link.update once for a change, and judges anonymous links too", async () => {
  const created = await call("POST", "/api/webhooks", {
    key,
    body: { url: "https://hooks.example.com/", events: ["link.update"] },
  });
  expect(created.status).toBe(201);
  const { id } = await createLink(key, { slug: "told" });
  await judge(id, BLOCKED);
  await judge(id, BLOCKED);
  const { results } = await env.DB.prepare("SELECT body FROM deliveries WHERE type = 'link.update'").all<{
    body: string;
  }>();
  expect(results.map(({ body }) => (JSON.parse(body) as { data: { verdict: Verdict } }).data.verdict)).toEqual([
    BLOCKED,
  ]);
  const shortened = await call("POST", "/api/shorten", { body: { url: "https://bad.example/" } });
  const { link } = await shortened.json<{ link: { id: string; slug: string } }>();
  expect(await judge(link.id, BLOCKED)).toBe(1);
  expect((await call("GET", `/${link.slug}`)).status).toBe(410);
});

it("keeps the warning or block of a link that is claimed, but no longer distrusts it", async () => {
  const browser = new Browser();
  const links = [await shorten(browser), await shorten(browser), await shorten(browser)];
  const [blocked, warned, allowed] = links.map(({ id }) => id) as [string, string, string];
  await judge(blocked, BLOCKED);
  await judge(warned, WARNED);
  await judge(allowed, { state: "allowed", reason: null, since: SINCE });
  await signInWith(browser);
  const claimed = new Map(linksOf(await claim(browser)).map((link) => [link.id, link.verdict]));
  expect([claimed.get(blocked), claimed.get(warned), claimed.get(allowed)?.state]).toEqual([
    BLOCKED,
    WARNED,
    "allowed",
  ]);
  const { results } = await env.DB.prepare("SELECT verdict FROM links").all<{ verdict: number }>();
  expect(results.map(({ verdict }) => isUntrusted(verdict))).toEqual([false, false, false]);
});

it("lists links by the state of their verdict", async () => {
  const links = await Promise.all(["one", "two", "three"].map((slug) => createLink(key, { slug })));
  await judge(links[0]?.id ?? "", BLOCKED);
  await judge(links[1]?.id ?? "", WARNED);
  const slugs = async (query: string) => {
    const response = await call("GET", `/api/links?${query}`, { key });
    return (await response.json<{ links: { slug: string; verdict: Verdict }[] }>()).links.map(({ slug }) => slug);
  };
  expect(await slugs("verdict=blocked")).toEqual(["one"]);
  expect(await slugs("verdict=warned&search=two")).toEqual(["two"]);
  expect(await slugs("verdict=warned&sort=clicks")).toEqual(["two"]);
  expect(await slugs("verdict=allowed")).toEqual(["three"]);
  expect((await call("GET", "/api/links?verdict=unknown", { key })).status).toBe(400);
});

const KINDS: [string, object][] = [
  ["an ordinary one", {}],
  ["one with expiredUrl that has ended", { expiredUrl: "https://example.com/over", expiresAt: 1_700_000_000_000 }],
  ["one with expiredUrl that is disabled", { expiredUrl: "https://example.com/over", disabled: true }],
  ["a permanent redirect", { redirectStatus: 301 }],
  ["one with a password", { password: PASSWORD }],
  ["one with a preview", { preview: { title: "Win a prize" } }],
  [
    "one with rules",
    { rules: [{ devices: ["mobile"], url: "https://example.com/m" }], geo: { DE: "https://example.com/de" } },
  ],
  ["one with an app's URL", { ios: "acme://spring" }],
  ["one with a limit of visits", { maxClicks: 1, expiredUrl: "https://example.com/over" }],
];

it.each(KINDS)("answers 410 from a neutral page for a blocked link: %s", async (_, fields) => {
  const { id } = await createLink(key, { slug: "bad", url: "https://bad.example/", ...fields });
  await judge(id, BLOCKED);
  for (const agent of ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", "Twitterbot/1.0", "curl/8.5.0"]) {
    for (const path of ["/bad", "/bad+", "/BAD?x=1"]) {
      const response = await call("GET", path, { headers: { "User-Agent": agent } });
      expect([response.status, response.headers.get("Location")]).toEqual([410, null]);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      const html = await response.text();
      expect(html).toContain("This link is blocked");
      expect(html).not.toMatch(/bad\.example|example\.com|Win a prize|og:/);
    }
  }
  await judge(id, { ...BLOCKED, reason: "legal_order" });
  expect((await call("GET", "/bad")).status).toBe(451);
});

it("uses no visit of a blocked link, and redirects again once the link is allowed", async () => {
  const { id } = await createLink(key, { slug: "back", url: "https://example.com/", maxClicks: 1 });
  await judge(id, BLOCKED);
  expect((await call("GET", "/back")).status).toBe(410);
  expect(await judge(id, { state: "allowed", reason: null, since: SINCE })).toBe(1);
  expect((await call("GET", "/back")).headers.get("Location")).toBe("https://example.com/");
  expect((await call("GET", "/back")).status).toBe(410);
});

it("shows a warned link's destination and the reason first, with a way on, and as JSON", async () => {
  const { id } = await createLink(key, {
    slug: "odd",
    url: "https://odd.example/a",
    preview: { title: "Win a prize" },
  });
  await judge(id, WARNED);
  const page = await call("GET", "/odd?b=1", { headers: { "User-Agent": "Twitterbot/1.0" } });
  const html = await page.text();
  expect([page.status, page.headers.get("Location")]).toEqual([200, null]);
  expect(html).toContain('href="https://odd.example/a?b=1"');
  expect(html).toContain("looks like that of another site");
  expect(html).not.toMatch(/Win a prize|og:/);
  expect(await (await call("GET", "/odd+")).text()).toContain("looks like that of another site");
  const json = await call("GET", "/odd", { headers: { Accept: "application/json" } });
  expect(await json.json()).toEqual({
    destination: "https://odd.example/a",
    verdict: { state: "warned", reason: "lookalike" },
  });
});

it("asks for the password of a warned link before it shows the destination", async () => {
  const { id } = await createLink(key, { slug: "shut", url: "https://odd.example/a", password: PASSWORD });
  await judge(id, WARNED);
  const response = await call("GET", "/shut");
  expect(response.status).toBe(401);
  expect(await response.text()).not.toContain("odd.example");
});

it("warns before expiredUrl too", async () => {
  const fields = { expiredUrl: "https://odd.example/over", expiresAt: 1_700_000_000_000 };
  const { id } = await createLink(key, { slug: "over", ...fields });
  await judge(id, WARNED);
  const response = await call("GET", "/over");
  expect([response.status, response.headers.get("Location")]).toEqual([200, null]);
  expect(await response.text()).toContain('href="https://odd.example/over"');
});

it("redirects an untrusted link with 302 and hands on campaign parameters only, also after a verdict", async () => {
  const { id } = await createLink(key, { slug: "new", url: "https://example.com/?a=1", redirectStatus: 301 });
  await distrust(id, { state: "pending", reason: null, since: null });
  const html = await (await call("GET", "/new?next=x&utm_source=mail")).text();
  expect(html).toContain('href="https://example.com/?a=1&amp;utm_source=mail"');
  expect(html).toContain("Nobody has checked");
  await judge(id, { state: "allowed", reason: null, since: SINCE });
  const response = await call("GET", "/new?next=x&utm_source=mail");
  expect([response.status, response.headers.get("Location")]).toEqual([
    302,
    "https://example.com/?a=1&utm_source=mail",
  ]);
});

it("counts the visits of warned links and none of blocked ones", async () => {
  const { id } = await createLink(key, { slug: "counted" });
  await judge(id, WARNED);
  takeSentVisits();
  await call("GET", "/counted");
  expect(takeSentVisits()).toHaveLength(1);
  await judge(id, BLOCKED);
  await call("GET", "/counted");
  expect(takeSentVisits()).toEqual([]);
});
