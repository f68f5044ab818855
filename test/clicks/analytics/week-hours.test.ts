import { expect, it, vi } from "vitest";
import { clockOffsets, timeZoneOf } from "../../../src/clicks/analytics/time-zone.ts";
import { DAY_MS, HOUR_MS } from "../../../src/limits.ts";
import { call, key } from "../../support/api.ts";
import { link, NOW } from "../../support/clicked-link.ts";
import { click, clicksOf, startClickedLink } from "./support.ts";

it("counts clicks by weekday and hour in the zone of the query, for periods of any length", async () => {
  await startClickedLink();
  // A Sunday and a Monday in winter, and a Monday in summer, all at half past nine in Berlin.
  for (const [time, country] of [
    ["2026-03-01T08:30Z", "DE"],
    ["2026-03-02T08:30Z", "FR"],
    ["2026-03-30T07:30Z", "FR"],
  ] as const) {
    const at = Date.parse(time);
    vi.setSystemTime(at);
    await click([{ at, country }]);
  }
  vi.setSystemTime(NOW);
  const hoursOf = async (query: string) => {
    const { weekHours = [] } = await clicksOf(`interval=1y&weekHours=true&${query}`);
    expect(weekHours.map(({ length }) => length)).toEqual([24, 24, 24, 24, 24, 24, 24]);
    return weekHours.flatMap((hours, day) =>
      hours.flatMap((clicks, hour) => (clicks > 0 ? [[day, hour, clicks]] : [])),
    );
  };
  const berlin = "timezone=Europe/Berlin";
  const inBerlin = [
    [0, 9, 2],
    [6, 9, 1],
  ];
  expect(await hoursOf(berlin)).toEqual(inBerlin);
  // From the summaries of the days.
  expect(await hoursOf(berlin)).toEqual(inBerlin);
  expect(await hoursOf(`${berlin}&country=FR`)).toEqual([[0, 9, 2]]);
  expect(await hoursOf("")).toEqual([
    [0, 7, 1],
    [0, 8, 1],
    [6, 8, 1],
  ]);
  // A zone whose hours do not begin with those of UTC.
  expect(await hoursOf("timezone=Asia/Kathmandu&country=FR")).toEqual([
    [0, 13, 1],
    [0, 14, 1],
  ]);
  expect(await clicksOf("interval=1y")).not.toHaveProperty("weekHours");
  expect((await call("GET", `/api/links/${link.id}/clicks?weekHours=yes`, { key })).status).toBe(400);
});

it("finds each change of the clocks", () => {
  const berlin = timeZoneOf("Europe/Berlin");
  const [start, end] = [Date.parse("2026-01-01T00:00Z"), Date.parse("2027-01-01T00:00Z")];
  expect(clockOffsets(start, end, berlin)).toEqual([
    { from: start, offset: HOUR_MS },
    { from: Date.parse("2026-03-29T01:00Z"), offset: 2 * HOUR_MS },
    { from: Date.parse("2026-10-25T01:00Z"), offset: HOUR_MS },
  ]);
  // Morocco sets its clocks back for Ramadan.
  const ofMorocco = clockOffsets(start - 365 * DAY_MS, start, timeZoneOf("Africa/Casablanca"));
  expect(ofMorocco.map(({ offset }) => offset / HOUR_MS)).toEqual([1, 0, 1]);
  expect(clockOffsets(start, end, timeZoneOf("UTC"))).toEqual([{ from: start, offset: 0 }]);
});
