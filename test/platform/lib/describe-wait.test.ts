import { expect, it } from "vitest";
import { describeWait } from "../../../src/platform/lib/describe-wait.ts";

it.each([
  [1, "in 1 second"],
  [59, "in 59 seconds"],
  [60, "in 1 minute"],
  [61, "in 2 minutes"],
  [3_600, "in 60 minutes"],
  [7_140, "in 119 minutes"],
  [7_141, "in 2 hours"],
  [7_201, "in 3 hours"],
])("describes a wait of %i seconds: %s", (seconds, words) => {
  expect(describeWait(seconds)).toBe(words);
});
