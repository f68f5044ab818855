import { expect, it } from "vitest";
import { NumberSet } from "../../../src/clicks/click-log/number-set.ts";

it("holds what was added, once, and nothing else", () => {
  const numbers = Array.from(
    { length: 10_000 },
    (_, index) => 1 + ((index * 7_919_000_000_003) % 9_007_199_254_740_881),
  );
  const set = new NumberSet();
  for (const number of numbers) {
    expect(set.add(number)).toBe(true);
    expect(set.add(number)).toBe(false);
  }
  expect(numbers.every((number) => !set.add(number))).toBe(true);
  expect(set.size).toBe(new Set(numbers).size);
});
