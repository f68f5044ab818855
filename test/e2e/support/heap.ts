import { expect } from "vitest";

/** Of the live heap of an isolate, which may have 128 MB in production. */
const MAX_HEAP_MB = 64;

/** Makes every runtime that is started from now on log its garbage collections. */
export function traceHeaps(): void {
  process.env["MINIFLARE_WORKERD_V8_FLAGS"] = "--trace-gc";
}

const COLLECTION = /^\[\d+:(0x[0-9a-f]+)\] /;
const WHOLE = /Mark-Compact.* -> ([\d.]+) \(/;

export const isCollection = (line: string): boolean => COLLECTION.test(line);

/** Returns the live heap of each isolate in megabytes, after each full garbage collection. */
export function liveHeaps(logLines: readonly string[]): number[][] {
  const heaps = new Map<string, number[]>();
  for (const line of logLines) {
    const [, isolate = ""] = COLLECTION.exec(line) ?? [];
    const [, megabytes] = WHOLE.exec(line) ?? [];
    if (megabytes !== undefined) heaps.set(isolate, [...(heaps.get(isolate) ?? []), Number(megabytes)]);
  }
  return [...heaps.values()];
}

/** Checks the heaps in a log. They are printed, to see whether they grow in a long run. */
export function expectSmallHeaps(logLines: readonly string[]): void {
  for (const heaps of liveHeaps(logLines)) {
    console.log(`live heap of an isolate in MB: ${heaps.join(", ")}`);
    expect(Math.max(...heaps)).toBeLessThan(MAX_HEAP_MB);
  }
}
