import { beforeEach, expect, it } from "vitest";
import type { ClickRecord } from "../../../src/click-log/click-record.ts";
import { call, createLink, jsonOf, key } from "../../support/api.ts";
import { clicked, link, NOW, startLink } from "../../support/clicked-link.ts";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { messageOf, consume } from "../../support/clicks.ts";
import { CSV_PAGE_RECORDS } from "../../../src/click-log/limits.ts";

beforeEach(() => startLink(NOW - 3 * DAY_MS));

interface Page {
  records: ClickRecord[];
  nextCursor: string | null;
}

async function recordsOf(query = "", path = `/api/links/${link.id}/clicks/records`): Promise<Page> {
  const response = await call("GET", path + query, { key });
  expect(response.status, await response.clone().text()).toBe(200);
  return jsonOf<Page>(response);
}

it("lists every click once, newest first, page by page, while new clicks arrive", async () => {
  const times = Array.from({ length: 230 }, (_, index) => NOW - ((index * 7_919) % 230) * (HOUR_MS / 6));
  for (let first = 0; first < times.length; first += 23) {
    await consume([messageOf(times.slice(first, first + 23).map((at) => clicked({ at })))]);
  }
  const seen: ClickRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: Page = await recordsOf(`?limit=50${cursor === null ? "" : `&cursor=${cursor}`}`);
    seen.push(...page.records);
    cursor = page.nextCursor;
    await consume([messageOf([clicked({ at: NOW + seen.length })])]);
  } while (cursor !== null);
  expect(seen.map(({ clickedAt }) => clickedAt)).toEqual(times.toSorted((a, b) => b - a));
  expect(new Set(seen.map(({ id }) => id)).size).toBe(230);
  expect((await recordsOf("?limit=50&page=2")).records[0]?.clickedAt).toBe(times.toSorted((a, b) => b - a)[45]);
});

it("lists crawlers only on request", async () => {
  await consume([messageOf([clicked({ at: NOW - 1 }), clicked({ userAgent: "Googlebot/2.1" })])]);
  const bots = async (query: string) => (await recordsOf(query)).records.map(({ bot }) => bot);
  expect(await bots("")).toEqual([false]);
  expect(await bots("?bots=include")).toEqual([true, false]);
  expect(await bots("?bots=only")).toEqual([true]);
});

it("combines period and filters, and rejects another list's cursor", async () => {
  const second = await createLink(key);
  await consume([
    messageOf([
      clicked({ country: "DE" }),
      clicked({ country: "US" }),
      clicked({ country: "US", at: NOW - 2 * DAY_MS }),
      clicked({ country: "US" }, second.id),
    ]),
  ]);
  expect((await recordsOf("?country=US&interval=24h")).records).toMatchObject([{ geo: { country: "US" } }]);
  expect((await recordsOf("?interval=all")).records).toHaveLength(3);
  expect((await recordsOf("?interval=all", "/api/clicks/records")).records).toHaveLength(4);
  const { nextCursor } = await recordsOf("?limit=1");
  const response = await call("GET", `/api/clicks/records?cursor=${nextCursor}`, { key });
  expect(response.status).toBe(400);
});

it("returns all of them as CSV", async () => {
  const count = 2 * CSV_PAGE_RECORDS + 345;
  for (let first = 0; first < count; first += 100) {
    const clicks = Array.from({ length: Math.min(100, count - first) }, (_, index) =>
      clicked({ at: NOW - (first + index) * 20_000, city: 'São, "Paulo"' }),
    );
    await consume([messageOf(clicks)]);
  }
  const response = await call("GET", `/api/links/${link.id}/clicks/records?format=csv`, { key });
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="clicks.csv"');
  const lines = (await response.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(1 + count);
  expect(new Set(lines.map((line) => line.split(",")[0])).size).toBe(1 + count);
  expect(lines.filter((line) => line.includes(new Date(NOW).toISOString()))).toHaveLength(1);
  expect(lines[1]).toContain('"São, ""Paulo"""');
  const days = lines.slice(1).map((line) => line.split(",")[2]?.slice(0, 10) ?? "");
  expect(days).toEqual(days.toSorted().toReversed());
  expect((await call("GET", `/api/links/${link.id}/clicks/records?format=csv&page=2`, { key })).status).toBe(400);
});

it.each([
  ["text/csv", "", "text/csv; charset=utf-8"],
  ["application/json;q=0.5, text/csv", "", "text/csv; charset=utf-8"],
  ["application/json, text/csv;q=0.9", "", "application/json"],
  ["text/html,*/*;q=0.8", "", "application/json"],
  ["text/csv", "?format=json", "application/json"],
  ["application/json", "?format=csv", "text/csv; charset=utf-8"],
])("returns for Accept: %s and '%s' the type %s", async (accept, query, type) => {
  for (const path of [`/api/links/${link.id}/clicks/records`, "/api/clicks/records"]) {
    const response = await call("GET", path + query, { key, headers: { Accept: accept } });
    expect(response.headers.get("Content-Type")).toBe(type);
    expect(response.headers.get("Vary")).toBe(query === "" ? "Accept" : null);
    await response.body?.cancel();
  }
});
