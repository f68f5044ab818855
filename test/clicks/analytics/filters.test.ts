import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Clicks } from "../../../src/clicks/analytics/contract.ts";
import type { ClickRecord } from "../../../src/clicks/click-record.ts";
import { DAY_MS, HOUR_MS } from "../../../src/lib/duration.ts";
import { MAX_DIMENSION_CHARS, MAX_FILTER_VALUES } from "../../../src/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../../support/api.ts";
import { clickOn, consume, messageOf } from "../../support/clicks.ts";
import { SAFARI } from "../click-log/totals-model.ts";

const NOW = Date.UTC(2026, 2, 30, 12);

let key: string;
let accountId: number;
let link: Link;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW - 40 * DAY_MS });
  ({ key, accountId } = await createAccount());
  link = await createLink(key, { slug: "link" });
  vi.setSystemTime(NOW);
});

type Fields = Parameters<typeof clickOn>[2];
const click = (clicks: Fields[], id = link.id) =>
  consume([messageOf(clicks.map((fields) => clickOn(id, accountId, fields)))]);

async function clicksOf(query: string, path = `/api/links/${link.id}/clicks`): Promise<Clicks> {
  const response = await call("GET", `${path}?${query}`, { key });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await jsonOf<{ clicks: Clicks }>(response)).clicks;
}

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
    expect(records.records.map(({ source }) => source).toSorted()).toEqual([
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
    ["page=11", "page"],
    ["tag=sale", "tag"],
    [Array.from({ length: MAX_FILTER_VALUES + 1 }, (_, n) => `city=c${n}`).join("&"), "city"],
  ])("are refused as %s", async (query, path) => {
    const response = await call("GET", `/api/links/${link.id}/clicks?${query}`, { key });
    expect(response.status).toBe(400);
    expect((await jsonOf<ErrorJson>(response)).details?.map((detail) => detail.path)).toEqual([path]);
  });
});

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

describe("values of a dimension", () => {
  it("are paged up to 1,000, and the others are counted exactly", async () => {
    const cities = Array.from({ length: 1_050 }, (_, n) => ({
      city: `City ${n}`,
      at: NOW - DAY_MS - (n % 2) * DAY_MS,
    }));
    const twice = cities.slice(500, 620);
    const thrice = cities.slice(600, 610);
    const all = [...cities, ...twice, ...thrice];
    for (let first = 0; first < all.length; first += 250) await click(all.slice(first, first + 250));
    const total = all.length;
    let listed = 0;
    const values = new Set<string>();
    for (let page = 1; page <= 10; page++) {
      // The second query for a day reads its summary.
      const clicks = await clicksOf(`page=${page}`);
      expect(clicks).toMatchObject({ total, countries: page === 1 ? [{ value: "DE", clicks: total }] : [] });
      expect(clicks.cities).toHaveLength(100);
      listed += clicks.cities.reduce((sum, city) => sum + city.clicks, 0);
      for (const { value } of clicks.cities) values.add(value);
      expect(clicks.others).toMatchObject({ cities: total - listed, countries: 0 });
      if (page === 1) expect(clicks.cities.slice(0, 10).map((city) => city.clicks)).toEqual(Array(10).fill(3));
    }
    expect(values.size).toBe(1_000);
    expect(total - listed).toBe(50);
  });
});

it("counts clicks with values that a summary has no room for as others", async () => {
  const count = 2_000;
  for (let first = 0; first < count; first += 250) {
    const cities = Array.from({ length: 250 }, (_, n) => ({ city: `${first + n}`.padEnd(MAX_DIMENSION_CHARS, "日") }));
    await click(cities.map((fields) => ({ ...fields, at: NOW - DAY_MS })));
  }
  for (let time = 0; time < 2; time++) {
    const { total, cities, others, countries } = await clicksOf("page=10");
    expect([total, cities.length, others.cities]).toEqual([count, 100, count - 1_000]);
    expect(countries).toEqual([]);
  }
});

describe("a query for all links", () => {
  it("has the links, and selects them by tag, domain and id", async () => {
    const sale = await createLink(key, { slug: "sale", tags: ["Sale", "Two"] });
    const both = await createLink(key, { slug: "both", tags: ["sale", "new"] });
    const other = await createAccount();
    const theirs = await createLink(other.key, { tags: ["sale"] });
    await click([{}, {}, {}]);
    await click([{}, { country: "FR" }], sale.id);
    await click([{}], both.id);
    const idsOf = async (query: string) => {
      const { links = [], total, others, recent } = await clicksOf(query, "/api/clicks");
      expect(links.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(total);
      expect(others.links).toBe(0);
      expect(recent.map(({ linkId }) => linkId).every((id) => links.some(({ value }) => value === id))).toBe(true);
      const path = `/api/clicks/records?${query}`;
      const { records } = await jsonOf<{ records: ClickRecord[] }>(await call("GET", path, { key }));
      expect(records).toHaveLength(total);
      return links.map(({ value, clicks, shortUrl }) => [value, clicks, shortUrl]);
    };
    const [own, tagged, two] = [
      [link.id, 3, "https://tern.test/link"],
      [sale.id, 2, "https://tern.test/sale"],
      [both.id, 1, "https://tern.test/both"],
    ];
    expect(await idsOf("")).toEqual([own, tagged, two]);
    expect(await idsOf("tag=SALE")).toEqual([tagged, two]);
    expect(await idsOf("tag=new&tag=two")).toEqual([tagged, two]);
    expect(await idsOf("tag=none")).toEqual([]);
    expect(await idsOf(`linkIds=${link.id}&linkIds=${both.id.toUpperCase()}`)).toEqual([own, two]);
    expect(await idsOf(`linkIds=${link.id}&linkIds=${both.id}&tag=sale`)).toEqual([two]);
    expect(await idsOf("domain=tern.test")).toEqual([own, tagged, two]);
    expect(await idsOf("domain=tern.test&tag=new")).toEqual([two]);
    expect(await idsOf("domain=other.example")).toEqual([]);
    expect(await idsOf("tag=sale&country=fr")).toEqual([[sale.id, 1, "https://tern.test/sale"]]);
    for (const id of [theirs.id, "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f", "nonsense"]) {
      const response = await call("GET", `/api/clicks?linkIds=${id}`, { key });
      expect((await jsonOf<ErrorJson>(response)).details).toMatchObject([{ path: "linkIds" }]);
    }
    await call("DELETE", `/api/links/${sale.id}`, { key });
    expect(await idsOf("")).toEqual([own, [sale.id, 2, null], two]);
    expect((await clicksOf("")).links).toBeUndefined();
  });

  it("compares with the period before", async () => {
    const at = (daysAgo: number) => NOW - daysAgo * DAY_MS;
    await click([{ at: at(0) }, { at: at(1) }, { at: at(1) }, { at: at(2) }, { at: at(6) }]);
    const compared = async (query: string) => {
      const { total, start, end, previous } = await clicksOf(`${query}&compare=previous`, "/api/clicks");
      expect(previous?.end).toBe(start);
      expect((previous?.end ?? 0) - (previous?.start ?? 0)).toBe(end - start);
      expect(previous?.timeseries.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(previous?.total);
      return [total, previous?.total, previous?.unique];
    };
    expect(await compared("interval=today")).toEqual([1, 2, 1]);
    expect(await compared("interval=yesterday")).toEqual([2, 1, 0]);
    expect(await compared("interval=mtd")).toEqual([5, 0, 0]);
    expect(await compared(`start=${at(3)}&end=${at(0)}&country=de`)).toEqual([3, 1, 0]);
    expect(await clicksOf("interval=7d&bucket=hour")).toMatchObject({ bucket: "hour", total: 5 });
    expect((await clicksOf("interval=7d&bucket=month")).timeseries).toEqual([
      { start: Date.UTC(2026, 2, 1), clicks: 5, unique: 2 },
    ]);
  });
});
