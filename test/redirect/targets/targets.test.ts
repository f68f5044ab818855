import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { call, createLink, key, startAccount, takeSentVisits } from "../../support/api.ts";
import { measureD1 } from "../../support/d1-meter.ts";
import { ANDROID, IPHONE, locationFor, visitAs, WINDOWS, type Person } from "../../support/visitors.ts";

beforeEach(startAccount);

const GERMAN: Person = { cf: { country: "DE", regionCode: "BE" } };

describe("a visitor", () => {
  it("is matched by every kind of condition", async () => {
    const rules = [
      { regions: ["us-ca"], url: "https://example.com/california" },
      { countries: ["de", "AT"], devices: ["mobile"], url: "https://example.com/german-phone" },
      { countries: ["DE"], url: "https://example.com/german" },
      { languages: ["FR"], url: "https://example.com/french" },
      { referrers: ["News.Example"], url: "https://example.com/news" },
      { os: ["Windows"], endsAt: "2020-01-01T00:00:00Z", url: "https://example.com/over" },
      { os: ["Windows"], startsAt: "2020-01-01T00:00:00Z", url: "https://example.com/windows" },
    ];
    await createLink(key, { slug: "many", url: "https://example.com/else", rules });
    const visitors: [Person, string][] = [
      [{ cf: { country: "US", regionCode: "CA" } }, "california"],
      [{ ...GERMAN, userAgent: IPHONE }, "german-phone"],
      [{ cf: { country: "AT" }, userAgent: ANDROID }, "german-phone"],
      [GERMAN, "german"],
      [{ headers: { "Accept-Language": "en;q=0.5, fr-CA" } }, "french"],
      [{ headers: { Referer: "https://m.news.example/story" } }, "news"],
      [{}, "windows"],
      [{ userAgent: "curl/8.5.0" }, "else"],
    ];
    // From the database, the memory cache and the edge cache.
    for (let time = 0; time < 3; time++) {
      for (const [visitor, name] of visitors)
        expect(await locationFor(visitor, "/many")).toBe(`https://example.com/${name}`);
      memoryCache.clear();
    }
  });

  it("gets the same of two targets each time, and a percentage of visitors gets each", async () => {
    const rules = [{ percentage: 30, url: "https://example.com/b" }];
    await createLink(key, { slug: "split", url: "https://example.com/a", rules });
    const counts = new Map<string | null, number>();
    for (let n = 0; n < 300; n++) {
      const address = `198.51.100.${n % 256}`;
      const userAgent = n < 256 ? WINDOWS : IPHONE;
      const location = await locationFor({ address, userAgent }, "/split");
      expect(await locationFor({ address, userAgent: userAgent.replace("141", "142") }, "/split")).toBe(location);
      counts.set(location, (counts.get(location) ?? 0) + 1);
    }
    expect(new Set(counts.keys())).toEqual(new Set(["https://example.com/a", "https://example.com/b"]));
    expect(counts.get("https://example.com/b")).toBeGreaterThan(50);
    expect(counts.get("https://example.com/b")).toBeLessThan(130);
  });

  it("is matched with rules, then ios or android, then geo, then the link's own url", async () => {
    await createLink(key, {
      slug: "order",
      url: "https://example.com/else",
      rules: [{ countries: ["FR"], url: "https://example.com/rule" }],
      ios: "https://apps.apple.com/app/acme",
      android: "https://play.google.com/store/apps/details?id=com.acme",
      geo: { de: "https://example.com/de", FR: "https://example.com/fr" },
    });
    expect(await locationFor({ userAgent: IPHONE, cf: { country: "FR" } }, "/order")).toBe("https://example.com/rule");
    expect(await locationFor({ ...GERMAN, userAgent: IPHONE }, "/order")).toBe("https://apps.apple.com/app/acme");
    expect(await locationFor({ ...GERMAN, userAgent: ANDROID }, "/order?id=evil&x=1")).toBe(
      "https://play.google.com/store/apps/details?id=com.acme&x=1",
    );
    expect(await locationFor(GERMAN, "/order?a=1")).toBe("https://example.com/de?a=1");
    expect(await locationFor({}, "/order")).toBe("https://example.com/else");
  });

  it("cannot select a destination that the link does not have", async () => {
    const geo = { DE: "https://example.com/de" };
    await createLink(key, { slug: "own", url: "https://example.com/else", geo, ios: "https://example.com/ios" });
    const evil = "https://evil.example/";
    for (const country of ["__proto__", "constructor", "DE,FR", evil]) {
      const headers = {
        Referer: evil,
        "Accept-Language": evil,
        "X-Forwarded-Host": "evil.example",
        "CF-IPCountry": "DE",
      };
      const location = await locationFor({ cf: { country }, headers, userAgent: evil, address: evil }, "/own");
      expect(location).toBe("https://example.com/else");
    }
  });
});

describe("a link with targets", () => {
  const geo = { DE: "https://example.com/de" };

  it.each([301, 302, 307, 308])("redirects with its %i, uncacheable", async (redirectStatus) => {
    await createLink(key, { slug: "coded", redirectStatus, geo });
    for (const visitor of [GERMAN, {}]) {
      for (const path of ["/coded", "/coded?a=1"]) {
        const response = await visitAs(visitor, path);
        expect([response.status, response.headers.get("Cache-Control")]).toEqual([redirectStatus, "no-store"]);
      }
    }
  });

  it("is cacheable again after its targets were removed", async () => {
    const { id } = await createLink(key, { slug: "plain", redirectStatus: 301, geo });
    await call("PATCH", `/api/links/${id}`, { key, body: { geo: null } });
    expect((await visitAs(GERMAN, "/plain")).headers.get("Cache-Control")).toBe("private, max-age=86400");
  });

  it("sends its own request id and no more headers than a plain link", async () => {
    await createLink(key, { slug: "bare", geo });
    const answers = [await visitAs(GERMAN, "/bare"), await visitAs(GERMAN, "/bare"), await visitAs({}, "/bare")];
    expect(new Set(answers.map(({ headers }) => headers.get("X-Request-Id"))).size).toBe(3);
    for (const { headers } of answers)
      expect([...headers.keys()].sort()).toEqual([
        "cache-control",
        "location",
        "strict-transport-security",
        "x-request-id",
      ]);
  });

  it("changes at once", async () => {
    const { id } = await createLink(key, { slug: "changing", url: "https://example.com/", geo });
    expect(await locationFor(GERMAN, "/changing")).toBe("https://example.com/de");
    const rules = [{ countries: ["DE"], url: "https://example.com/rule" }];
    for (const [body, location] of [
      [{ rules }, "https://example.com/rule"],
      [{ rules: null }, "https://example.com/de"],
      [{ geo: {} }, "https://example.com/"],
      [{ rules }, "https://example.com/rule"],
      [{ rules: [] }, "https://example.com/"],
    ] as const) {
      expect((await call("PATCH", `/api/links/${id}`, { key, body })).status).toBe(200);
      expect(await locationFor(GERMAN, "/changing")).toBe(location);
    }
  });

  it("expires like any other", async () => {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now });
    await createLink(key, { slug: "used", maxClicks: 1, geo, expiredUrl: "https://example.com/over" });
    await createLink(key, { slug: "expiring", expiresAt: now + 1_000, geo });
    expect(await locationFor(GERMAN, "/used")).toBe("https://example.com/de");
    expect(await locationFor(GERMAN, "/used")).toBe("https://example.com/over");
    expect(await locationFor(GERMAN, "/expiring")).toBe("https://example.com/de");
    vi.setSystemTime(now + 1_000);
    expect((await visitAs(GERMAN, "/expiring")).status).toBe(410);
  });

  it("has its clicks recorded like any other", async () => {
    const { id } = await createLink(key, { slug: "counted", geo });
    await visitAs(GERMAN, "/counted");
    await visitAs({ ...GERMAN, method: "HEAD" }, "/counted");
    expect(takeSentVisits().map(([, linkId]) => linkId)).toEqual([id]);
  });

  it("costs one row when no cache has it, and nothing otherwise", async () => {
    const rules = Array.from({ length: 10 }, (_, n) => ({ countries: ["FR"], url: `https://example.com/${n}` }));
    await createLink(key, { slug: "cold", rules, geo, ios: "https://example.com/ios" });
    const cost = async () => {
      const { roundTrips, rowsRead, rowsWritten } = await measureD1(() => visitAs(GERMAN, "/cold"));
      return { roundTrips, rowsRead, rowsWritten };
    };
    expect(await cost()).toEqual({ roundTrips: 1, rowsRead: 1, rowsWritten: 0 });
    const prepared = vi.spyOn(caches, "open").mockRejectedValue(new Error("must not be used"));
    expect(await cost()).toEqual({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 });
    prepared.mockRestore();
    memoryCache.clear();
    expect(await cost()).toEqual({ roundTrips: 0, rowsRead: 0, rowsWritten: 0 });
  });

  it("redirects to its own url and logs once if the stored targets cannot be read", async () => {
    const { id } = await createLink(key, { slug: "broken", url: "https://example.com/", geo });
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    vi.spyOn(caches, "open").mockRejectedValue(new Error("no cache here"));
    for (const column of ["rules", "geo", "ios", "android"]) {
      for (const text of [
        "{",
        "7",
        '"x"',
        "[7]",
        '[{"url":"javascript:alert(1)"}]',
        '{"DE":"no url"}',
        '[{"url":1}]',
      ]) {
        await env.DB.prepare(`UPDATE links SET geo = NULL, rules = NULL, ios = NULL, android = NULL`).run();
        await env.DB.prepare(`UPDATE links SET ${column} = ?1, updated_at = updated_at + 1`).bind(text).run();
        for (let time = 0; time < 2; time++) {
          memoryCache.clear();
          expect(await locationFor(GERMAN, "/broken")).toBe("https://example.com/");
        }
      }
    }
    const lines = errors.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatchObject({ event: "link_rules_unreadable", linkId: id });
    expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(lines.length);
  });
});
