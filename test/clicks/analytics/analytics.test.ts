import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Clicks } from "../../../src/clicks/analytics/contract.ts";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { call, createAccount, createLink, jsonOf, key, type ErrorJson } from "../../support/api.ts";
import { clicked, link, NOW, startLink } from "../../support/clicked-link.ts";
import { messageOf, consume, clickOn } from "../../support/clicks.ts";
import { FIREFOX } from "../../support/user-agents.ts";

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

beforeEach(() => startLink(NOW - 3 * DAY_MS));

async function clicksOf(query = "", path = `/api/links/${link.id}/clicks`): Promise<Clicks> {
  const response = await call("GET", path + query, { key });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await jsonOf<{ clicks: Clicks }>(response)).clicks;
}

describe("GET /api/links/:id/clicks", () => {
  it("names the clicks of another service apart, in no other number", async () => {
    await consume([messageOf([clicked({})])]);
    expect(await clicksOf()).not.toHaveProperty("importedClicks");
    await env.DB.prepare("UPDATE links SET imported_clicks = 90 WHERE id = ?1").bind(link.id).run();
    expect(await clicksOf()).toMatchObject({ total: 1, importedClicks: 90 });
    expect(await clicksOf("?interval=all&country=FR")).toMatchObject({ total: 0, importedClicks: 90 });
    expect(await clicksOf("", "/api/clicks")).not.toHaveProperty("importedClicks");
  });

  it("returns totals by time, origin and client", async () => {
    await consume([
      messageOf([
        clicked({ ip: "203.0.113.1", referrer: "https://News.example:8443/a" }),
        clicked({ ip: "203.0.113.1" }),
        clicked({
          ip: "203.0.113.2",
          country: "US",
          region: "TX",
          city: "Austin",
          continent: "NA",
          userAgent: SAFARI,
          trigger: 1,
        }),
        clicked({ country: "", region: "", city: "", continent: "", referrer: "not a url" }),
        clicked({ userAgent: "Googlebot/2.1 (+http://www.google.com/bot.html)" }),
        clicked({ userAgent: "", ip: "203.0.113.9" }),
      ]),
    ]);
    const clicks = await clicksOf();
    expect(clicks).toEqual({
      total: 4,
      unique: 2,
      bots: 2,
      start: Date.UTC(2026, 2, 1),
      end: Date.UTC(2026, 2, 31),
      bucket: "day",
      detailFrom: { clicks: null, quarterHours: null },
      timeseries: Array.from({ length: 30 }, (_, day) => ({
        start: Date.UTC(2026, 2, 1 + day),
        clicks: day === 29 ? 4 : 0,
        unique: day === 29 ? 2 : 0,
      })),
      countries: [
        { value: "DE", clicks: 2 },
        { value: "unknown", clicks: 1 },
        { value: "US", clicks: 1 },
      ],
      regions: [
        { value: "DE-BE", clicks: 2 },
        { value: "unknown", clicks: 1 },
        { value: "US-TX", clicks: 1 },
      ],
      cities: [
        { value: "Berlin", clicks: 2 },
        { value: "unknown", clicks: 1 },
        { value: "Austin", clicks: 1 },
      ],
      continents: [
        { value: "EU", clicks: 2 },
        { value: "unknown", clicks: 1 },
        { value: "NA", clicks: 1 },
      ],
      devices: [
        { value: "desktop", clicks: 3 },
        { value: "mobile", clicks: 1 },
      ],
      browsers: [
        { value: "Firefox", clicks: 3 },
        { value: "Safari", clicks: 1 },
      ],
      os: [
        { value: "Linux", clicks: 3 },
        { value: "iOS", clicks: 1 },
      ],
      referrers: [
        { value: "direct", clicks: 3 },
        { value: "news.example:8443", clicks: 1 },
      ],
      triggers: [
        { value: "link", clicks: 3 },
        { value: "qr", clicks: 1 },
      ],
      sources: [
        { value: "direct", clicks: 3 },
        { value: "news.example", clicks: 1 },
      ],
      targets: [{ value: "default", clicks: 4 }],
      utmSources: [{ value: "none", clicks: 4 }],
      utmMediums: [{ value: "none", clicks: 4 }],
      utmCampaigns: [{ value: "none", clicks: 4 }],
      utmTerms: [{ value: "none", clicks: 4 }],
      utmContents: [{ value: "none", clicks: 4 }],
      others: expect.any(Object),
      recent: expect.any(Array),
    });
    expect(new Set(Object.values(clicks.others))).toEqual(new Set([0]));
    expect(clicks.recent).toHaveLength(4);
    expect(clicks.recent).toContainEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      linkId: link.id,
      clickedAt: NOW,
      geo: { country: "US", region: "US-TX", city: "Austin", continent: "NA" },
      device: "mobile",
      browser: "Safari",
      os: "iOS",
      referrer: null,
      source: null,
      trigger: "qr",
      target: { kind: "default", ruleId: null, url: "https://example.com/" },
      utm: { source: null, medium: null, campaign: null, term: null, content: null },
      bot: false,
    });
    expect(new Set(clicks.recent.map(({ id }) => id)).size).toBe(4);
  });

  it("returns zeros for a link without clicks", async () => {
    expect(await clicksOf("?interval=24h")).toMatchObject({ total: 0, unique: 0, bots: 0, countries: [], recent: [] });
    expect(await clicksOf("?interval=all")).toMatchObject({ total: 0 });
  });

  it("combines filters; unknown and direct are values too", async () => {
    await consume([
      messageOf([
        clicked({ country: "DE", userAgent: SAFARI, referrer: "https://a.example" }),
        clicked({ country: "DE", userAgent: FIREFOX }),
        clicked({ country: "US", userAgent: SAFARI }),
        clicked({ country: "", userAgent: SAFARI, trigger: 1 }),
        clicked({ country: "DE", userAgent: "Googlebot/2.1" }),
      ]),
    ]);
    const totals = async (query: string) => (await clicksOf(query)).total;
    expect(await totals("?country=DE")).toBe(2);
    expect(await totals("?country=DE&browser=Safari")).toBe(1);
    expect(await totals("?country=unknown")).toBe(1);
    expect(await totals("?referrer=direct")).toBe(3);
    expect(await totals("?referrer=a.example&device=mobile&os=iOS&region=DE-BE&city=Berlin&continent=EU")).toBe(1);
    expect(await totals("?trigger=qr")).toBe(1);
    expect(await clicksOf("?country=DE")).toMatchObject({ bots: 1, recent: [{}, {}] });
  });

  it("starts days in the requested time zone, also on the day of a clock change", async () => {
    const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 2, day, hour, minute);
    // In Berlin, the 29th started at 23:00 UTC of the 28th and had 23 hours.
    vi.setSystemTime(at(30, 12));
    const times = [at(28, 22, 59), at(28, 23), at(29, 12), at(29, 21, 59), at(29, 22), at(30, 8)];
    await consume([messageOf(times.map((time) => clicked({ at: time })))]);
    const { timeseries } = await clicksOf("?interval=7d&timezone=Europe/Berlin");
    expect(timeseries.slice(-3)).toMatchObject([
      { start: at(27, 23), clicks: 1 },
      { start: at(28, 23), clicks: 3 },
      { start: at(29, 22), clicks: 2 },
    ]);
    expect((await clicksOf("?interval=7d")).timeseries.slice(-3).map(({ clicks }) => clicks)).toEqual([2, 3, 1]);
  });

  it("applies custom ranges to the millisecond, with an exclusive end", async () => {
    await consume([messageOf([NOW - 1_000, NOW - 999, NOW - 1, NOW].map((at) => clicked({ at })))]);
    const total = async (start: number, end: number) => (await clicksOf(`?start=${start}&end=${end}`)).total;
    expect(await total(NOW - 1_000, NOW)).toBe(3);
    expect(await total(NOW - 999, NOW + 1)).toBe(3);
    expect((await clicksOf(`?start=${new Date(NOW - 999).toISOString()}`)).total).toBe(3);
  });

  it.each([
    ["?interval=1w", "interval"],
    ["?interval=7d&start=1", "interval"],
    ["?start=yesterday", "start"],
    ["?start=2&end=1", "end"],
    ["?timezone=Mars/Olympus", "timezone"],
    ["?timezone=%2B02:00", "timezone"],
    ["?device=phone", "device"],
    ["?country=", "country"],
    ["?county=DE", "county"],
  ])("rejects %s and names %s", async (query, path) => {
    const response = await call("GET", `/api/links/${link.id}/clicks${query}`, { key });
    expect(response.status).toBe(400);
    expect((await jsonOf<ErrorJson>(response)).details?.map((detail) => detail.path)).toEqual([path]);
  });

  it("requires the link's account and the permission", async () => {
    const other = await createAccount(["links:read"]);
    const paths = [`/api/links/${link.id}/clicks`, `/api/links/${link.id}/clicks/records`];
    for (const path of paths) {
      expect((await call("GET", path, { key: other.key })).status).toBe(403);
      expect((await call("GET", path)).status).toBe(401);
      expect((await call("GET", path, { key: (await createAccount()).key })).status).toBe(403);
      expect((await call("GET", path.replace(link.id, newId(NOW)), { key })).status).toBe(404);
      expect((await call("GET", path.replace(link.id, "nonsense"), { key })).status).toBe(404);
    }
  });
});

describe("GET /api/clicks", () => {
  it("adds up the links of the account and no other account", async () => {
    const second = await createLink(key);
    const other = await createAccount();
    const theirs = await createLink(other.key);
    await consume([
      messageOf([
        clicked({ ip: "203.0.113.1" }),
        clicked({ ip: "203.0.113.1", at: NOW - 23 * HOUR_MS }, second.id),
        clickOn(theirs.id, other.accountId),
        clickOn(newId(NOW), null),
      ]),
    ]);
    for (const interval of ["24h", "7d", "90d", "1y", "all"]) {
      const clicks = await clicksOf(`?interval=${interval}`, "/api/clicks");
      expect(clicks).toMatchObject({ total: 2, unique: 2 });
      expect(clicks.recent.map(({ linkId }) => linkId)).toEqual([link.id, second.id]);
      expect(clicks.timeseries.reduce((sum, bucket) => sum + bucket.clicks, 0)).toBe(2);
    }
    expect(await clicksOf("?country=DE", "/api/clicks")).toMatchObject({ total: 2 });
    expect((await call("GET", "/api/clicks", { key: (await createAccount(["links:read"])).key })).status).toBe(403);
  });

  it("returns zeros for an account without clicks", async () => {
    expect(await clicksOf("?interval=all", "/api/clicks")).toMatchObject({ total: 0, recent: [] });
  });
});
