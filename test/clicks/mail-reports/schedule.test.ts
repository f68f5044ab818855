import { expect, it } from "vitest";
import { nextMailReportAt, mailedPeriod } from "#src/clicks/mail-reports/schedule.ts";

const at = (time: string) => Date.parse(time);
const iso = (time: number) => new Date(time).toISOString();

it.each([
  ["weekly", "UTC", "2026-11-26T10:00Z", "2026-11-30T07:00:00.000Z"],
  ["weekly", "UTC", "2026-11-30T06:59:59Z", "2026-11-30T07:00:00.000Z"],
  ["weekly", "UTC", "2026-11-30T07:00Z", "2026-12-07T07:00:00.000Z"],
  ["weekly", "Europe/Berlin", "2026-10-24T10:00Z", "2026-10-26T06:00:00.000Z"],
  ["weekly", "Pacific/Kiritimati", "2026-11-29T12:00Z", "2026-11-29T17:00:00.000Z"],
  ["monthly", "UTC", "2026-12-01T07:00Z", "2027-01-01T07:00:00.000Z"],
  // The clock goes forward at 2 and back at 2 on these first days of a month.
  ["monthly", "Europe/Berlin", "2029-03-31T00:00Z", "2029-04-01T05:00:00.000Z"],
  ["monthly", "America/New_York", "2026-10-31T12:00Z", "2026-11-01T12:00:00.000Z"],
] as const)("a %s report in %s is due at 7 on the day after %s: %s", (frequency, timezone, now, due) => {
  expect(iso(nextMailReportAt(frequency, timezone, at(now)))).toBe(due);
});

it.each([
  ["weekly", "Europe/Berlin", "2026-10-26T06:00Z", "2026-10-18T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
  ["monthly", "UTC", "2027-03-01T07:00Z", "2027-02-01T00:00:00.000Z", "2027-03-01T00:00:00.000Z"],
  // Sent late, it is about the same days.
  ["weekly", "UTC", "2026-12-02T07:00Z", "2026-11-23T00:00:00.000Z", "2026-11-30T00:00:00.000Z"],
] as const)("a %s report in %s at %s is about whole local days", (frequency, timezone, reportAt, start, end) => {
  const period = mailedPeriod(frequency, timezone, at(reportAt));
  expect([iso(period.start), iso(period.end)]).toEqual([start, end]);
});
