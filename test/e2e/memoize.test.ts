import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { MAX_KNOWN_TEXTS } from "../../src/limits.ts";
import { memoize } from "../../src/platform/lib/memoize.ts";
import { MAX_MESSAGE_CHARS } from "../../src/click-log/limits.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapAfterCollection(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test("what is remembered of messages keeps none of them in memory", () => {
  const lengthOf = memoize(MAX_KNOWN_TEXTS, (text) => text.length);
  const before = heapAfterCollection();
  const messages = MAX_KNOWN_TEXTS / 10;
  for (let index = 0; index < messages; index++) {
    const message = structuredClone(`the origin of visit ${index}\n${"x".repeat(MAX_MESSAGE_CHARS)}`);
    for (const text of message.split("\n", 1)) lengthOf(text);
  }
  expect(heapAfterCollection() - before).toBeLessThan((messages * MAX_MESSAGE_CHARS) / 10);
  expect(lengthOf("short")).toBe(5);
});
