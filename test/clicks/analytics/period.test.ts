import { describe, expect, it } from "vitest";
import { DAY_MS as DAY, HOUR_MS as HOUR } from "../../../src/limits.ts";
import { periodOf, type Period, type PeriodQuery } from "../../../src/clicks/analytics/period.ts";

const NOW = Date.parse("2026-11-21T12:34:56.789Z");

function readPeriod(query: Partial<PeriodQuery>): Period {
  const result = periodOf({ timezone: "UTC", now: NOW, createdAt: NOW - 400 * DAY, ...query });
  if (!result.ok) throw new Error(JSON.stringify(result.fault));
  return result.period;
}

/** The days of a custom range, as ISO 8601 in UTC. */
function days(timezone: string, start: string, end: string): string[] {
  const period = readPeriod({ timezone, start: Date.parse(start), end: Date.parse(end) });
  expect(period.bucket).toBe("day");
  return period.boundaries.map((border) => iso(border));
}

function hours(timezone: string, start: string, end: string): string[] {
  const period = readPeriod({ timezone, start: Date.parse(start), end: Date.parse(end) });
  expect(period.bucket).toBe("hour");
  return period.boundaries.map((border) => iso(border));
}

function iso(time: number | undefined): string {
  return time === undefined ? "" : new Date(time).toISOString().replace(/:00\.000Z$/, "Z");
}

function lengths(period: Period): number[] {
  return period.boundaries.map((border, index) => ((period.boundaries[index + 1] ?? period.end) - border) / HOUR);
}

describe("intervals", () => {
  it("covers today and the days before it by default", () => {
    const period = readPeriod({ timezone: "Europe/Berlin" });
    expect(period).toMatchObject({ bucket: "day" });
    expect(period.boundaries).toHaveLength(30);
    expect([iso(period.start), iso(period.end)]).toEqual(["2026-10-22T22:00Z", "2026-11-21T23:00Z"]);
    expect(period.boundaries[0]).toBe(period.start);
  });

  it.each([
    ["7d", 7],
    ["30d", 30],
    ["90d", 90],
  ] as const)("has as many buckets as %s has days, also across a change of the clock", (interval, count) => {
    for (const timezone of ["UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"]) {
      const period = readPeriod({ interval, timezone });
      expect(period.boundaries).toHaveLength(count);
      expect(period.bucket).toBe("day");
    }
  });

  it("covers 24 hours of the local clock, including the current one", () => {
    const period = readPeriod({ interval: "24h", timezone: "Asia/Kathmandu" });
    expect(period.bucket).toBe("hour");
    expect(period.boundaries).toHaveLength(24);
    expect([iso(period.start), iso(period.end)]).toEqual(["2026-11-20T13:15Z", "2026-11-21T13:15Z"]);
    expect(period.start).toBe(period.boundaries[0]);
  });

  it("has 24 hours at any time around a change of the clock, also by half an hour", () => {
    for (const [timezone, change] of [
      ["Australia/Lord_Howe", "2026-04-04T15:00Z"],
      ["Australia/Lord_Howe", "2026-10-03T15:30Z"],
      ["Europe/Berlin", "2026-10-25T01:00Z"],
    ] as const) {
      for (let minutes = -60; minutes <= 26 * 60; minutes += 29) {
        const now = Date.parse(change) + minutes * 60_000;
        const { start, end, boundaries } = readPeriod({ interval: "24h", timezone, now });
        expect(boundaries).toHaveLength(24);
        expect([boundaries[0], start <= now && now < end]).toEqual([start, true]);
      }
    }
  });

  it("covers 12 months, including the current one", () => {
    const period = readPeriod({ interval: "1y", timezone: "America/New_York" });
    expect([iso(period.start), iso(period.end)]).toEqual(["2025-12-01T05:00Z", "2026-11-22T05:00Z"]);
    expect(period.bucket).toBe("month");
    expect(period.boundaries).toHaveLength(12);
    expect([iso(period.boundaries[0]), iso(period.boundaries[1])]).toEqual(["2025-12-01T05:00Z", "2026-01-01T05:00Z"]);
  });

  it.each([
    [2 * HOUR, "hour"],
    [3 * DAY, "hour"],
    [4 * DAY, "day"],
    [100 * DAY, "day"],
    [101 * DAY, "month"],
    [3_000 * DAY, "month"],
  ] as const)("covers everything since a creation %i ms ago by %s", (age, bucket) => {
    const period = readPeriod({ interval: "all", createdAt: NOW - age, timezone: "Asia/Kolkata" });
    expect(period.bucket).toBe(bucket);
    expect(period.start).toBeLessThanOrEqual(NOW - age);
    expect(period.boundaries[0]).toBe(period.start);
    expect(period.end).toBeGreaterThan(NOW);
  });

  it("accepts a link that was created by a clock that is ahead", () => {
    const period = readPeriod({ interval: "all", createdAt: NOW + 90_000 });
    expect(period.boundaries).toEqual([Date.parse("2026-11-21T12:00Z")]);
  });
});

describe("days with a clock change", () => {
  it("have 23 or 25 hours", () => {
    expect(
      lengths(readPeriod({ interval: "7d", timezone: "Europe/Berlin", now: Date.parse("2026-03-30T12:00Z") })),
    ).toEqual([24, 24, 24, 24, 24, 23, 24]);
    expect(
      lengths(readPeriod({ interval: "7d", timezone: "Europe/Berlin", now: Date.parse("2026-10-26T12:00Z") })),
    ).toEqual([24, 24, 24, 24, 24, 25, 24]);
  });

  it("support changes of half an hour", () => {
    const period = readPeriod({
      interval: "7d",
      timezone: "Australia/Lord_Howe",
      now: Date.parse("2026-10-05T12:00Z"),
    });
    expect(lengths(period)).toEqual([24, 24, 24, 24, 24, 23.5, 24]);
  });

  it("start at their first moment if midnight does not exist", () => {
    expect(days("America/Sao_Paulo", "2018-11-02T12:00Z", "2018-11-06T12:00Z")).toEqual([
      "2018-11-02T03:00Z",
      "2018-11-03T03:00Z",
      "2018-11-04T03:00Z",
      "2018-11-05T02:00Z",
      "2018-11-06T02:00Z",
    ]);
    expect(days("Africa/Cairo", "2026-04-23T12:00Z", "2026-04-26T22:00Z").slice(0, 3)).toEqual([
      "2026-04-22T22:00Z",
      "2026-04-23T22:00Z",
      "2026-04-24T21:00Z",
    ]);
    expect(days("Asia/Beirut", "2026-03-28T12:00Z", "2026-03-31T22:00Z").slice(0, 3)).toEqual([
      "2026-03-27T22:00Z",
      "2026-03-28T22:00Z",
      "2026-03-29T21:00Z",
    ]);
    expect(days("America/Havana", "2026-03-07T12:00Z", "2026-03-11T12:00Z").slice(0, 3)).toEqual([
      "2026-03-07T05:00Z",
      "2026-03-08T05:00Z",
      "2026-03-09T04:00Z",
    ]);
  });

  it("start at the first of two midnights", () => {
    expect(days("America/Havana", "2026-10-31T12:00Z", "2026-11-04T12:00Z").slice(0, 3)).toEqual([
      "2026-10-31T04:00Z",
      "2026-11-01T04:00Z",
      "2026-11-02T05:00Z",
    ]);
  });

  it("include both of two equal hours before midnight", () => {
    expect(days("America/Sao_Paulo", "2018-02-16T12:00Z", "2018-02-20T12:00Z")).toEqual([
      "2018-02-16T02:00Z",
      "2018-02-17T02:00Z",
      "2018-02-18T03:00Z",
      "2018-02-19T03:00Z",
      "2018-02-20T03:00Z",
    ]);
    expect(days("Asia/Beirut", "2026-10-24T12:00Z", "2026-10-27T22:00Z").slice(0, 3)).toEqual([
      "2026-10-23T21:00Z",
      "2026-10-24T22:00Z",
      "2026-10-25T22:00Z",
    ]);
  });

  it("are left out if the calendar skips them", () => {
    expect(days("Pacific/Apia", "2011-12-28T12:00Z", "2012-01-01T12:00Z")).toEqual([
      "2011-12-28T10:00Z",
      "2011-12-29T10:00Z",
      "2011-12-30T10:00Z",
      "2011-12-31T10:00Z",
      "2012-01-01T10:00Z",
    ]);
  });

  it("have an hour twice that the clock repeats, and none that it skips", () => {
    const autumn = hours("America/New_York", "2026-11-01T04:00Z", "2026-11-02T05:00Z");
    expect(autumn).toHaveLength(25);
    expect(hours("America/New_York", "2026-03-08T05:00Z", "2026-03-09T04:00Z")).toHaveLength(23);
  });

  it("split the hour of a half-hour change at the change", () => {
    expect(hours("Australia/Lord_Howe", "2026-10-03T14:45Z", "2026-10-03T17:00Z")).toEqual([
      "2026-10-03T14:30Z",
      "2026-10-03T15:30Z",
      "2026-10-03T16:00Z",
    ]);
    expect(hours("Australia/Lord_Howe", "2026-04-04T14:15Z", "2026-04-04T16:00Z")).toEqual([
      "2026-04-04T14:00Z",
      "2026-04-04T15:00Z",
      "2026-04-04T15:30Z",
    ]);
  });
});

describe("custom ranges", () => {
  it("keep the requested times; the first bucket may start earlier", () => {
    const start = Date.parse("2026-11-10T15:00Z");
    const end = Date.parse("2026-11-20T15:00Z");
    const period = readPeriod({ start, end, timezone: "Asia/Tokyo" });
    expect(period).toMatchObject({ start, end, bucket: "day" });
    expect(iso(readPeriod({ start: start - 1, end }).boundaries[0])).toBe("2026-11-10T00:00Z");
  });

  it("start with the creation and end with the current bucket by default", () => {
    const period = readPeriod({ start: NOW - DAY });
    expect([period.start, iso(period.end)]).toEqual([NOW - DAY, "2026-11-21T13:00Z"]);
    expect(readPeriod({ end: NOW, createdAt: NOW - 5 * DAY }).start).toBe(NOW - 5 * DAY);
  });

  it("may end in the future", () => {
    expect(readPeriod({ start: NOW, end: NOW + DAY }).boundaries).toHaveLength(25);
  });

  it.each([
    ["an interval besides", { interval: "7d", start: NOW - DAY }, "interval", "not_together"],
    ["an end that is the start", { start: NOW, end: NOW }, "end", "not_after"],
    ["an end before the start", { start: NOW, end: NOW - 1 }, "end", "not_after"],
    ["an end before the creation", { end: NOW - 500 * DAY }, "end", "before_creation"],
    ["a start in the future without an end", { start: NOW + DAY }, "start", "in_the_future"],
    ["more than twenty years", { start: 0, end: NOW }, "start", "period_too_long"],
    ["times before 1970", { start: -1, end: NOW }, "start", "not_a_time"],
    ["times after 9999", { start: NOW, end: 8e15 }, "end", "not_a_time"],
    ["what is no time", { start: Number.NaN }, "start", "not_a_time"],
    ["parts of a millisecond", { start: NOW - 1, end: NOW - 0.5 }, "end", "not_a_time"],
  ] as [string, Partial<PeriodQuery>, string, string][])("are rejected: %s", (_, query, path, code) => {
    const result = periodOf({ timezone: "UTC", now: NOW, createdAt: NOW - 400 * DAY, ...query });
    expect(result).toMatchObject({ ok: false, fault: { path, code } });
  });
});

it("starts an hour at a change of the clock within an hour, whatever the start of the range", () => {
  for (const [change, after] of [
    ["2026-09-26T14:00Z", "2026-09-26T14:15Z"],
    ["2026-04-04T14:00Z", "2026-04-04T14:15Z"],
  ] as const) {
    const expected = [change, after].map(Date.parse);
    for (const start of [-HOUR, -HOUR / 4, 0]) {
      const period = readPeriod({
        timezone: "Pacific/Chatham",
        start: Date.parse(change) + start,
        end: Date.parse(change) + HOUR,
      });
      expect(period.boundaries.slice(-2)).toEqual(expected);
    }
  }
});
