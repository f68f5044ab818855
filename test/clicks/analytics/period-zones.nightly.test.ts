import * as fc from "fast-check";
import { expect, it } from "vitest";
import { DAY_MS as DAY, HOUR_MS as HOUR } from "../../../src/limits.ts";
import { INTERVALS, periodOf, type Period, type PeriodQuery } from "../../../src/clicks/analytics/period.ts";
import { timeZoneOf, type TimeZone } from "../../../src/clicks/analytics/time-zone.ts";

const ZONES = Intl.supportedValuesOf("timeZone");

const query = fc.record({
  timezone: fc.constantFrom(...ZONES),
  now: fc.integer({ min: Date.UTC(1972, 6, 1), max: Date.UTC(2040, 0, 1) }),
  age: fc.integer({ min: 0, max: 7_000 * DAY }),
});
const length = fc.oneof(
  fc.integer({ min: 1, max: 3 * DAY }),
  fc.integer({ min: 1, max: 100 * DAY }),
  fc.integer({ min: 1, max: 7_000 * DAY }),
);

it("cuts intervals into local hours, days and months without a gap", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(query, fc.constantFrom(...INTERVALS), ({ timezone, now, age }, interval) => {
      const period = readPeriod({ timezone, now, createdAt: Math.max(0, now - age), interval });
      expect(faultsOf(period, timezone)).toEqual([]);
      expect(period.start).toBeLessThanOrEqual(now);
      expect(period.end > now).toBe(interval !== "yesterday");
    }),
    { numRuns: 1_000 },
  );
});

it("cuts custom ranges into local hours, days and months without a gap", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(query, length, ({ timezone, now, age }, length) => {
      const start = Math.max(0, now - age);
      const period = readPeriod({ timezone, now, createdAt: 0, start, end: start + length });
      expect(faultsOf(period, timezone)).toEqual([]);
      expect(period).toMatchObject({ start, end: start + length });
    }),
    { numRuns: 1_000 },
  );
});

it("starts every day of a year at its first moment", () => {
  for (const timezone of ZONES) {
    for (const now of ["2026-03-26", "2026-06-24", "2026-09-22", "2026-12-21"]) {
      const period = readPeriod({ timezone, now: Date.parse(`${now}T12:00Z`), createdAt: 0, interval: "90d" });
      expect(period.boundaries, timezone).toHaveLength(90);
      expect(faultsOf(period, timezone)).toEqual([]);
    }
  }
});

function readPeriod(query: PeriodQuery): Period {
  const result = periodOf(query);
  if (!result.ok) throw new Error(JSON.stringify(result.fault));
  return result.period;
}

function faultsOf(period: Period, timezone: string): string[] {
  const zone = timeZoneOf(timezone);
  const { start, end, boundaries, bucket } = period;
  const most = bucket === "hour" ? 78 : bucket === "day" ? 102 : 242;
  const faults = boundaries.filter(
    (border, index) => !beginsBucket(border, bucket, zone) || border >= (boundaries[index + 1] ?? end),
  );
  return [
    ...faults.map((border) => `border ${timezone} ${new Date(border).toISOString()}`),
    ...(boundaries.length > 0 && boundaries.length <= most ? [] : ["number of buckets"]),
    ...((boundaries[0] ?? end) <= start && start < (boundaries[1] ?? end) ? [] : ["first bucket"]),
  ];
}

/** Whether it is a full hour, a midnight or a first of the month, or the clock change that skipped it. */
function beginsBucket(border: number, bucket: Period["bucket"], { offsetAt }: TimeZone): boolean {
  const local = new Date(border + offsetAt(border));
  const before = new Date(border - 1 + offsetAt(border - 1));
  const changes = offsetAt(border) !== offsetAt(border - 1);
  if (bucket === "hour") return changes || local.getTime() % HOUR === 0;
  if (bucket === "month" && before.getUTCMonth() === local.getUTCMonth()) return false;
  return before.getUTCDate() !== local.getUTCDate() && (changes || local.getTime() % DAY === 0);
}
