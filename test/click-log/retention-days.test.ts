import { describe, expect, it } from "vitest";
import { MAX_CLICK_AGE_DAYS, MIN_CLICK_RETENTION_DAYS } from "../../src/click-log/limits.ts";
import { parseRetentionBounds, retentionDays } from "../../src/click-log/retention-days.ts";

describe("the operator's bounds", () => {
  it.each([
    ["", { least: 7, most: 90 }],
    ["30-90", { least: 30, most: 90 }],
    ["7-365", { least: 7, most: 365 }],
    ["7-30", { least: 7, most: 30 }],
    ["180-180", { least: 180, most: 180 }],
    ["7-730", { least: 7, most: 730 }],
    ["30-30", { least: 30, most: 30 }],
    ["6-90", null],
    ["7-731", null],
    ["31-30", null],
    ["seven-90", null],
    ["7.5-90", null],
    ["-7-90", null],
    ["7-1e2", null],
    ["90", null],
  ])("in %j are %j", (text, bounds) => {
    expect(parseRetentionBounds(text)).toEqual(bounds);
  });
});

it("the least retention is no shorter than the time in which clicks arrive, so a rolled up day gets no further ones", () => {
  expect(MIN_CLICK_RETENTION_DAYS).toBeGreaterThanOrEqual(MAX_CLICK_AGE_DAYS);
});

describe("single clicks are kept", () => {
  it.each([
    [null, "", 90],
    [30, "", 30],
    [null, "7-30", 30],
    [null, "7-365", 90],
    [200, "7-365", 200],
    [null, "180-180", 180],
    // The operator has changed the bounds since the account chose.
    [200, "7-90", 90],
    [10, "30-90", 30],
    // These are no bounds.
    [200, "x-730", 90],
  ])("with %j chosen, within %j, for %j days", (chosen, CLICK_RETENTION_DAYS, days) => {
    expect(retentionDays(chosen, { CLICK_RETENTION_DAYS })).toBe(days);
  });
});
