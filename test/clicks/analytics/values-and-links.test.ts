import { beforeEach, describe, expect, it } from "vitest";
import type { ClickRecord } from "../../../src/click-log/click-record.ts";
import { DAY_MS, MAX_DIMENSION_CHARS } from "../../../src/limits.ts";
import { call, createAccount, createLink, jsonOf, key, type ErrorJson } from "../../support/api.ts";
import { link, NOW } from "../../support/clicked-link.ts";
import { click, clicksOf, startClickedLink } from "./support.ts";

beforeEach(startClickedLink);

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
    const city = (n: number) => `${first + n}`.padEnd(MAX_DIMENSION_CHARS, "日");
    await click(Array.from({ length: 250 }, (_, n) => ({ city: city(n), at: NOW - DAY_MS })));
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
    const aYearAgo = NOW - 365 * DAY_MS;
    const { previous } = await clicksOf(`start=${NOW - DAY_MS}&end=${NOW}&compare=year`, "/api/clicks");
    expect(previous).toMatchObject({ total: 0, start: aYearAgo - DAY_MS, end: aYearAgo });
    expect(await clicksOf("interval=7d&bucket=hour")).toMatchObject({ bucket: "hour", total: 5 });
    expect((await clicksOf("interval=7d&bucket=month")).timeseries).toEqual([
      { start: Date.UTC(2026, 2, 1), clicks: 5, unique: 2 },
    ]);
  });
});
