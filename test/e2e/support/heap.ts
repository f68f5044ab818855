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
