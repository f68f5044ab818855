import { expect, it } from "vitest";
import { memoize } from "../../../src/platform/lib/memoize.ts";

it("computes the result of a text in use once, also in a flood of other texts, which it evicts", () => {
  const made: string[] = [];
  const describe = memoize(100, (text) => {
    made.push(text);
    return { text };
  });
  const known = describe("in use");
  for (let index = 0; index < 1_000; index++) {
    expect(describe(`flood ${index}`)).toEqual({ text: `flood ${index}` });
    if (index % 20 === 0) expect(describe("in use")).toBe(known);
  }
  expect(made.filter((text) => text === "in use")).toHaveLength(1);
  made.length = 0;
  for (let index = 999; index >= 0; index--) describe(`flood ${index}`);
  // At most 100 of the thousand were kept.
  expect(made.length).toBeGreaterThanOrEqual(900);
});
