import * as fc from "fast-check";
import { expect, it } from "vitest";
import { VisitorTable } from "../../../src/click-log/log/visitor-table.ts";

// Few low bits, so that visitors compete for slots.
const visitor = fc.tuple(fc.nat(2 ** 21 - 1), fc.nat(7)).map(([high, low]) => (high + 1) * 2 ** 32 + low);

it("keeps the lowest number of each visitor, and gives it once", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(visitor, fc.nat(95)), { maxLength: 300 }), (given) => {
      const table = new VisitorTable();
      const lowest = new Map<number, number>();
      for (const [each, number] of given) {
        expect(table.keepLowest(each, number)).toBe(lowest.get(each) ?? null);
        lowest.set(each, Math.min(number, lowest.get(each) ?? Infinity));
      }
      for (const [each, number] of lowest) {
        expect(table.take(each, number + 1)).toBe(false);
        expect(table.take(each, number)).toBe(true);
        expect(table.take(each, number)).toBe(false);
      }
      expect(table.take(2 ** 53 - 1, 0)).toBe(false);
    }),
  );
});
