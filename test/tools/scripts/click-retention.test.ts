import { expect, it } from "vitest";
import { checkClickRetention } from "../../../tools/scripts/click-retention.ts";

const check = (bounds: unknown) => () => checkClickRetention({ CLICK_RETENTION_DAYS: bounds });

it("accepts bounds of the retention, and empty or missing ones", () => {
  for (const bounds of ["", undefined, "14-365", "7-30", "180-180"]) expect(check(bounds)).not.toThrow();
});

it("refuses other values, and says which are right", () => {
  for (const bounds of ["6-90", "7-731", "60-30", "a month", "7-90 days", "90", "7-", 90])
    expect(check(bounds)).toThrow(
      `CLICK_RETENTION_DAYS ${JSON.stringify(bounds)} must be two whole days from 7 to 730, ` +
        'the lower one first, such as "7-90" (docs/configuration.md).',
    );
});
