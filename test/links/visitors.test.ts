import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "#src/links/contract.ts";
import * as memoryCache from "#src/redirect/lookup/memory-cache.ts";
import { ADVISORY_TTL_MS } from "#src/redirect/limits.ts";
import { packVerdict, VERDICT_STATES } from "#src/redirect/verdict.ts";
import { call, createLink, jsonOf, key, startAccount } from "../support/api.ts";
import { itWithSafety } from "../support/safety.ts";

beforeEach(startAccount);

async function giveVerdict(slug: string, packed: number): Promise<void> {
  await env.DB.prepare("UPDATE links SET verdict = ?1, updated_at = updated_at + 1 WHERE slug = ?2")
    .bind(packed, slug)
    .run();
  memoryCache.clear();
}

/** What a visit gets, in the words of the API. */
async function visit(slug: string): Promise<Link["visitors"]> {
  const { status } = await call("GET", `/${slug}`, { headers: { Accept: "text/html" } });
  if (status === 302) return "redirect";
  return status === 200 ? "preview" : "page";
}

const read = async (id: string) =>
  (await jsonOf<{ link: Link }>(await call("GET", `/api/links/${id}`, { key }))).link.visitors;

/** What the event of a change says. */
async function inEvent(id: string): Promise<unknown> {
  expect((await call("PATCH", `/api/links/${id}`, { key, body: { title: crypto.randomUUID() } })).status).toBe(200);
  const body = await env.DB.prepare("SELECT body FROM deliveries ORDER BY event_id DESC LIMIT 1").first<string>("body");
  return (JSON.parse(body ?? "{}") as { data: Link }).data.visitors;
}

const DAY_MS = 86_400_000;
const OTHER = "https://example.com/after";

describe("a link", () => {
  beforeEach(async () => {
    const body = { url: "https://hooks.example.com/", events: ["link.update"] };
    expect((await call("POST", "/api/webhooks", { key, body })).status).toBe(201);
  });

  const settings: [string, object][] = [
    ["without settings", {}],
    ["that is disabled", { disabled: true }],
    ["that is disabled and leads elsewhere", { disabled: true, expiredUrl: OTHER, password: "long enough" }],
    ["that begins later", { startsAt: Date.now() + DAY_MS }],
    ["with a password", { password: "long enough" }],
    ["that expires later", { expiresAt: Date.now() + DAY_MS, expiredUrl: OTHER }],
    ["with visits left", { maxClicks: 10 }],
  ];
  const verdicts = VERDICT_STATES.flatMap((state) =>
    [false, true].map((isUntrusted) => ({
      state,
      isUntrusted,
      packed: packVerdict({ state, reason: null, since: null }, isUntrusted),
    })),
  );

  it.each(settings)("%s says what its visitors get, whatever the verdict", async (_, fields) => {
    for (const [index, { state, isUntrusted, packed }] of verdicts.entries()) {
      const slug = `seen-${index}`;
      const { id } = await createLink(key, { slug, ...fields });
      await giveVerdict(slug, packed);
      const expected = await visit(slug);
      expect([await read(id), await inEvent(id)], `${state} ${isUntrusted}`).toEqual([expected, expected]);
    }
  });

  it("whose visits are used up has a page, or leads to its next destination", async () => {
    const { id } = await createLink(key, { slug: "used", maxClicks: 1 });
    expect([await read(id), await visit("used"), await visit("used"), await read(id)]).toEqual([
      "redirect",
      "redirect",
      "page",
      "page",
    ]);
    await call("PATCH", `/api/links/${id}`, { key, body: { expiredUrl: OTHER } });
    expect([await read(id), await inEvent(id), await visit("used")]).toEqual(["redirect", "redirect", "redirect"]);
  });

  it.each([
    [false, "redirect"],
    [true, "preview"],
  ] as const)(
    "with a warning of Google that is too old is as before it (without trust: %s)",
    async (isUntrusted, expected) => {
      const { id } = await createLink(key, { slug: "old" });
      const since = Date.now() - ADVISORY_TTL_MS;
      await giveVerdict("old", packVerdict({ state: "warned", reason: "phishing", since }, isUntrusted, true));
      expect([await read(id), await inEvent(id), await visit("old")]).toEqual([expected, expected, expected]);
      const recent = await createLink(key, { slug: "recent" });
      await giveVerdict(
        "recent",
        packVerdict({ state: "warned", reason: "phishing", since: Date.now() }, isUntrusted, true),
      );
      const seen = [await read(recent.id), await inEvent(recent.id), await visit("recent")];
      expect(seen).toEqual(["preview", "preview", "preview"]);
    },
  );

  itWithSafety("that is made without an account says in the 201 that its visitors see a page", async () => {
    const created = await call("POST", "/api/shorten", { body: { url: "https://example.com/" } });
    const { link } = await jsonOf<{ link: Link }>(created);
    expect([created.status, link.visitors, await visit(link.slug)]).toEqual([201, "preview", "preview"]);
    const withKey = await call("POST", "/api/shorten", { key, body: { url: "https://example.com/" } });
    expect((await jsonOf<{ link: Link }>(withKey)).link.visitors).toBe("redirect");
  });
});
