import { describe, expect, it } from "vitest";
import { DAY_MS as DAY, HOUR_MS as HOUR } from "../../../src/limits.ts";
import { comparedWith, periodOf, type Period, type PeriodQuery } from "../../../src/clicks/analytics/period.ts";
import { MAX_BUCKETS } from "../../../src/clicks/analytics/limits.ts";

const NOW = Date.parse("2026-11-21T12:34:56.789Z");

function readPeriod(query: Partial<PeriodQuery>): Period {
  const result = periodOf({ timezone: "UTC", now: NOW, createdAt: NOW - 400 * DAY, ...query });
  if (!result.ok) throw new Error(JSON.stringify(result.fault));
  return result.period;
}

function iso(time: number | undefined): string {
  return time === undefined ? "" : new Date(time).toISOString().replace(/:00\.000Z$/, "Z");
}

describe("intervals of the calendar and comparisons", () => {
  const zone = { timezone: "Europe/Berlin" };
  const span = ({ start, end }: Period) => [iso(start), iso(end)];

  it("are today, yesterday and the month to date", () => {
    const today = readPeriod({ ...zone, interval: "today" });
    expect([...span(today), today.bucket]).toEqual(["2026-11-20T23:00Z", "2026-11-21T23:00Z", "hour"]);
    expect(today.boundaries).toHaveLength(24);
    const yesterday = readPeriod({ ...zone, interval: "yesterday", now: Date.parse("2026-10-26T12:00Z") });
    expect(span(yesterday)).toEqual(["2026-10-24T22:00Z", "2026-10-25T23:00Z"]);
    expect(yesterday.boundaries).toHaveLength(25);
    const month = readPeriod({ ...zone, interval: "mtd" });
    expect([...span(month), month.bucket]).toEqual(["2026-10-31T23:00Z", "2026-11-21T23:00Z", "day"]);
    expect(month.boundaries).toHaveLength(21);
  });

  it.each([
    ["today", "2026-11-19T23:00Z"],
    ["yesterday", "2026-11-18T23:00Z"],
    ["24h", "2026-11-19T13:00Z"],
    ["mtd", "2026-10-10T22:00Z"],
    // Across a change of the clock.
    ["30d", "2026-09-22T22:00Z"],
  ] as const)("compare %s with as many days or hours before", (interval, start) => {
    const query = { ...zone, now: NOW, createdAt: 0, interval };
    const period = readPeriod(query);
    const result = comparedWith("previous", query, period);
    if (!result.ok) throw new Error(result.fault.message);
    expect(span(result.period)).toEqual([start, iso(period.start)]);
    expect(result.period.boundaries).toHaveLength(period.boundaries.length);
  });

  it.each([
    // Whole days of Berlin, where the clock changed on March 29.
    ["2026-03-29T22:00Z", "2026-04-05T22:00Z", "2026-03-22T23:00Z", 7],
    ["2026-10-25T23:00Z", "2026-10-26T23:00Z", "2026-10-24T22:00Z", 25],
    // Not whole days.
    ["2026-03-29T22:00Z", "2026-04-05T21:59Z", "2026-03-22T22:01Z", 8],
  ])("compare the range from %s to %s with the one from %s", (start, end, before, buckets) => {
    const query = { ...zone, now: NOW, createdAt: 0, start: Date.parse(start), end: Date.parse(end) };
    const result = comparedWith("previous", query, readPeriod(query));
    if (!result.ok) throw new Error(result.fault.message);
    expect(span(result.period)).toEqual([before, start]);
    expect(result.period.boundaries).toHaveLength(buckets);
  });

  it.each([
    // The clock of Berlin changed on 29 March 2026 and 30 March 2025, and on 25 and 26 October.
    [{ interval: "30d" }, "2025-10-22T22:00Z", "2025-11-21T23:00Z", 31 - 1],
    [{ interval: "1y" }, "2024-11-30T23:00Z", "2025-11-21T23:00Z", 12],
    [{ start: "2026-03-28T23:00Z", end: "2026-03-29T22:00Z" }, "2025-03-28T23:00Z", "2025-03-29T23:00Z", 24],
    // A leap day, the day before it, and both.
    [{ start: "2028-02-28T23:00Z", end: "2028-02-29T23:00Z" }, "2027-02-27T23:00Z", "2027-02-28T23:00Z", 24],
    [{ start: "2028-02-27T23:00Z", end: "2028-02-28T23:00Z" }, "2027-02-27T23:00Z", "2027-02-28T23:00Z", 24],
    [{ start: "2028-02-27T23:00Z", end: "2028-02-29T23:00Z" }, "2027-02-27T23:00Z", "2027-02-28T23:00Z", 24],
    // Not whole days: as long, from the same local time, although one of them is summer time.
    [{ interval: "24h" }, "2025-11-20T13:00Z", "2025-11-21T13:00Z", 24],
    [{ start: "2026-03-29T10:30Z", end: "2026-03-29T12:30Z" }, "2025-03-29T11:30Z", "2025-03-29T13:30Z", 3],
  ] as const)("compare %j with the year before", (given, start, end, buckets) => {
    const range = "interval" in given ? given : { start: Date.parse(given.start), end: Date.parse(given.end) };
    const query = { ...zone, now: NOW, createdAt: 0, ...range };
    const result = comparedWith("year", query, readPeriod(query));
    if (!result.ok) throw new Error(result.fault.message);
    expect(span(result.period)).toEqual([start, end]);
    expect(result.period.boundaries).toHaveLength(buckets);
  });

  it("have the buckets that the query wants, up to a bound", () => {
    expect(readPeriod({ interval: "30d", bucket: "hour" }).boundaries).toHaveLength(720);
    expect(readPeriod({ interval: "1y", bucket: "day" }).boundaries.length).toBeGreaterThan(330);
    expect(readPeriod({ interval: "all", bucket: "month" }).boundaries).toHaveLength(14);
    expect(readPeriod({ interval: "24h", bucket: "day" }).boundaries).toHaveLength(2);
    const query = { timezone: "UTC", now: NOW, createdAt: 0, interval: "90d", bucket: "hour" } as const;
    expect(periodOf(query)).toMatchObject({ ok: false, fault: { path: "bucket", code: "too_many_buckets" } });
    const hours = (start: number) => ({ ...query, interval: undefined, start, end: start + MAX_BUCKETS * HOUR });
    expect(readPeriod(hours(NOW - (NOW % HOUR))).boundaries).toHaveLength(MAX_BUCKETS);
    // With parts of two hours.
    expect(periodOf(hours(NOW))).toMatchObject({ ok: false, fault: { path: "bucket", code: "too_many_buckets" } });
  });
});
