import { expect, it } from "vitest";
import { checkClickRetention } from "../../scripts/click-retention.ts";

const check = (least: unknown, most: unknown) => () =>
  checkClickRetention({ CLICK_RETENTION_MIN_DAYS: least, CLICK_RETENTION_MAX_DAYS: most });

it("accepts bounds of the retention, and empty or missing ones", () => {
  for (const [least, most] of [
    ["", ""],
    [undefined, undefined],
    ["14", "365"],
    ["", "30"],
    ["180", ""],
    [14, 365],
  ])
    expect(check(least, most)).not.toThrow();
});

it("refuses other values, and says which are right", () => {
  for (const [least, most] of [
    ["6", ""],
    ["", "731"],
    ["60", "30"],
    ["a month", ""],
    ["", "90 days"],
    [6, 90],
  ])
    expect(check(least, most)).toThrow(
      `CLICK_RETENTION_MIN_DAYS "${least}" and CLICK_RETENTION_MAX_DAYS "${most}" must be whole days from 7 to 730, ` +
        "and CLICK_RETENTION_MIN_DAYS no more than CLICK_RETENTION_MAX_DAYS. Empty ones have their defaults (docs/self-hosting.md).",
    );
});
