import { expect } from "vitest";

/** Of the live heap of an isolate, which may have 128 MB in production. */
const MAX_HEAP_MB = 64;

/**
 * Makes every runtime that is started from now on log its garbage collections. Each is one of the whole heap: small heaps
 * would have none otherwise.
 */
export function traceHeaps(): void {
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = "--trace-gc --gc-global";
}

const COLLECTION = /^\[\d+:0x[0-9a-f]+\] /;
const WHOLE = /Mark-Compact.* -> ([\d.]+) \(/;

export const isCollection = (line: string): boolean => COLLECTION.test(line);

/** Checks the live heaps of all isolates in a log, after each garbage collection. */
export function expectSmallHeaps(logLines: readonly string[]): void {
  const heaps = logLines.filter(isCollection).flatMap((line) => {
    const [, megabytes] = WHOLE.exec(line) ?? [];
    return megabytes === undefined ? [] : [Number(megabytes)];
  });
  expect(heaps).not.toEqual([]);
  const highest = Math.max(...heaps);
  console.log(`live heap: ${highest} MB at most, after ${heaps.length} collections`);
  expect(highest).toBeLessThan(MAX_HEAP_MB);
}
