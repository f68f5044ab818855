import { describe, expect, it } from "vitest";
import { isTimeZone } from "../../../src/clicks/analytics/time-zone.ts";

describe("isTimeZone", () => {
  it.each([
    "UTC",
    "utc",
    "Europe/Berlin",
    "europe/berlin",
    "Asia/Kolkata",
    "Asia/Calcutta",
    "Etc/GMT+1",
    "GMT",
    "EST",
    "EST5EDT",
    "America/Argentina/Buenos_Aires",
    "US/Pacific",
    "America/Port-au-Prince",
    "GB",
    "Japan",
  ])("accepts %j", (name) => {
    expect(isTimeZone(name)).toBe(true);
  });

  it.each([
    "",
    " ",
    "+02:00",
    "+0200",
    "-08",
    "Z",
    "UTC+2",
    "GMT+2",
    "ACT",
    "PST",
    "IST",
    "Mars/Olympus",
    "Europe/Berlin ",
    "Europe/Berlin\0",
    "SystemV/AST4",
    "Factory",
    "Etc/Unknown",
    "localtime",
    "../etc/passwd",
    "Europe",
    "A".repeat(10_000),
    "Ｅurope/Berlin",
  ])("rejects %j", (name) => {
    expect(isTimeZone(name)).toBe(false);
  });

  it("accepts every zone of the runtime", () => {
    expect(Intl.supportedValuesOf("timeZone").filter((zone) => !isTimeZone(zone))).toEqual([]);
  });
});
