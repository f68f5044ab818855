import { expect, it } from "vitest";
import { memoize } from "../../src/lib/memoize.ts";

it("makes the same of a text once while it is in use, also in a flood of others, which it forgets", () => {
  const made: string[] = [];
  const answer = memoize(100, (text) => {
    made.push(text);
    return { text };
  });
  const known = answer("in use");
  for (let index = 0; index < 1_000; index++) {
    expect(answer(`flood ${index}`)).toEqual({ text: `flood ${index}` });
    if (index % 20 === 0) expect(answer("in use")).toBe(known);
  }
  expect(made.filter((text) => text === "in use")).toHaveLength(1);
  made.length = 0;
  for (let index = 999; index >= 0; index--) answer(`flood ${index}`);
  // Of a thousand it had kept no more than it may.
  expect(made.length).toBeGreaterThanOrEqual(900);
});
