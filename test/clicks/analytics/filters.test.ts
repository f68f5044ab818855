import { beforeEach, describe, expect, it } from "vitest";
import type { ClickRecord } from "../../../src/click-log/click-record.ts";
import { HOUR_MS } from "../../../src/limits.ts";
import { call, jsonOf, key, type ErrorJson } from "../../support/api.ts";
import { link, NOW } from "../../support/clicked-link.ts";
import { click, clicksOf, startClickedLink } from "./support.ts";
import { MAX_FILTER_VALUES } from "../../../src/clicks/analytics/limits.ts";
import { SAFARI } from "../../support/user-agents.ts";

beforeEach(startClickedLink);

const totalOf = async (query: string) => (await clicksOf(query)).total;

describe("filters", () => {
  it("match in any case, take several values, and exclude values with an exclamation mark", async () => {
    const place = { country: "BR", region: "SP", city: "São Paulo", continent: "SA" };
    await click([
      { country: "DE", referrer: "https://News.example./a" },
      { country: "DE", userAgent: SAFARI, city: "Foo, Bar" },
      { ...place, referrer: "https://m.news.example:8443" },
      { ...place, trigger: 1, referrer: "https://grün.example" },
      { country: "T1", region: "", city: "", continent: "" },
      { country: "", region: "", city: "", continent: "", referrer: "android-app://com.slack" },
    ]);
    const expected: [query: string, total: number][] = [
      ["country=de", 2],
      ["country=De&country=bR", 4],
      ["country=!de", 4],
      ["country=!de&country=!unknown", 3],
      ["country=br&country=!BR", 0],
      ["country=t1", 1],
      ["country=UNKNOWN&country=t1", 2],
      ["continent=sa", 2],
      ["city=S%C3%83O%20PAULO", 2],
      ["city=Foo,%20bar", 1],
      ["city=Foo&city=Bar", 0],
      ["device=MOBILE", 1],
      ["browser=!safari", 5],
      ["browser=FIREFOX&os=linux", 5],
      ["trigger=QR", 1],
      ["referrer=NEWS.example", 1],
      ["referrer=news.example.", 1],
      ["referrer=news.example&referrer=m.news.example.:8443", 2],
      ["referrer=gr%C3%BCn.example", 1],
      ["source=news.example", 2],
      ["source=direct", 2],
      ["source=!direct&source=!news.example", 2],
      ["target=default", 6],
      ["utmSource=none&utmCampaign=!x", 6],
      ["country=de&referrer=direct", 1],
    ];
    for (const [query, total] of expected) expect(await totalOf(query), query).toBe(total);
    const records = await jsonOf<{ records: ClickRecord[] }>(
      await call("GET", "/api/clicks/records?country=br&country=de&source=!direct", { key }),
    );
    expect(records.records.map(({ source }) => String(source)).sort()).toEqual([
      "news.example",
      "news.example",
      "xn--grn-ioa.example",
    ]);
    const { referrers, sources } = await clicksOf("country=!de");
    expect(referrers.map(({ value }) => value)).toEqual(
      expect.arrayContaining(["com.slack", "direct", "m.news.example:8443", "xn--grn-ioa.example"]),
    );
    expect(sources).toContainEqual({ value: "com.slack", clicks: 1 });
  });

  it("group referrers by site", async () => {
    const hosts = [
      "l.facebook.com",
      "m.facebook.com",
      "www.facebook.com",
      "www.bbc.co.uk",
      "news.bbc.co.uk",
      "10.0.0.1",
    ];
    await click(hosts.map((host) => ({ referrer: `https://${host}` })));
    const { sources, referrers } = await clicksOf("");
    expect(sources).toEqual([
      { value: "facebook.com", clicks: 3 },
      { value: "bbc.co.uk", clicks: 2 },
      { value: "10.0.0.1", clicks: 1 },
    ]);
    expect(referrers).toHaveLength(6);
  });

  it.each([
    ["country=XX", "country"],
    ["country=Germany", "country"],
    ["country=DE&country=ZZ", "country"],
    ["country=!ZZ", "country"],
    ["country=!", "country"],
    ["city=!%20", "city"],
    ["continent=Europe", "continent"],
    ["continent=!XX", "continent"],
    ["target=rule", "target"],
    ["target=rule-1", "target"],
    ["trigger=scan", "trigger"],
    ["bucket=week", "bucket"],
    ["bucket=hour&interval=90d", "bucket"],
    ["compare=next", "compare"],
    ["compare=previous&interval=all", "compare"],
    ["compare=year&interval=all", "compare"],
    ["page=11", "page"],
    ["tag=sale", "tag"],
    [Array.from({ length: MAX_FILTER_VALUES + 1 }, (_, n) => `city=c${n}`).join("&"), "city"],
  ])("are refused as %s", async (query, path) => {
    const response = await call("GET", `/api/links/${link.id}/clicks?${query}`, { key });
    expect(response.status).toBe(400);
    expect((await jsonOf<ErrorJson>(response)).details?.map((detail) => detail.path)).toEqual([path]);
  });
});

it.each(["interval=7d&interval=30d", "bucket=day&bucket=day", "page=1&page=2"])(
  "%s is refused, because only filters are repeated",
  async (query) => {
    const response = await call("GET", `/api/links/${link.id}/clicks?${query}`, { key });
    const [detail] = (await jsonOf<ErrorJson>(response)).details ?? [];
    expect([response.status, detail?.code]).toEqual([400, "given_twice"]);
  },
);

describe("unique visitors", () => {
  it("are those of the clicks that match, in the bucket of their first matching click", async () => {
    const at = (hour: number) => NOW - 12 * HOUR_MS + hour * HOUR_MS;
    const [a, b] = [{ ip: "203.0.113.1" }, { ip: "203.0.113.2" }];
    const [one, two] = [{ referrer: "https://one.example" }, { referrer: "https://two.example" }];
    // The messages arrive out of order.
    await click([{ ...a, ...two, at: at(5) }]);
    await click([
      { ...a, ...two, at: at(3) },
      { ...a, ...one, at: at(1) },
      { ...b, ...one, at: at(3) },
      { ...b, userAgent: SAFARI, at: at(3) },
    ]);
    const series = async (query: string) => {
      const { unique, timeseries } = await clicksOf(query);
      return [unique, timeseries.flatMap((bucket, hour) => (bucket.unique > 0 ? [[hour, bucket.unique]] : []))];
    };
    expect(await series("interval=today")).toEqual([
      3,
      [
        [1, 1],
        [3, 2],
      ],
    ]);
    expect(await series("interval=today&source=one.example")).toEqual([
      2,
      [
        [1, 1],
        [3, 1],
      ],
    ]);
    expect(await series("interval=today&source=two.example")).toEqual([1, [[3, 1]]]);
    expect(await series("interval=today&source=two.example&source=one.example")).toEqual([
      2,
      [
        [1, 1],
        [3, 1],
      ],
    ]);
    expect(await series(`start=${at(4)}&end=${at(6)}&bucket=hour`)).toEqual([1, [[1, 1]]]);
  });
});
