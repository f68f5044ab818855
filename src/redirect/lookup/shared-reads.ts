import { LINK_READ_TIMEOUT_MS } from "../limits.ts";

// Reads of the database that several requests of this isolate wait for, so that a link that many want at once is read once.

interface SharedRead {
  startedAt: number;
  result: Promise<unknown>;
}

/** By what is read. The read that began first comes first. */
const reads = new Map<string, SharedRead>();

/**
 * The result of a read under way, else that of `start`, which later calls share. A null of a read that began before this
 * call is not used: what was missing then may exist now. All who waited for that one share the next one. `start` returns
 * undefined if it may not read; then so does this function. The caller must keep the invocation alive until its read ends.
 */
export async function shareRead<T>(
  key: string,
  now: number,
  start: () => Promise<T | null> | undefined,
): Promise<T | null | undefined> {
  const earlier = underWay<T>(key, now);
  if (earlier !== undefined) {
    const found = await earlier.catch(() => null);
    if (found !== null) return found;
    const next = underWay<T>(key, now);
    if (next !== undefined) return next;
  }
  const result = start();
  if (result === undefined) return undefined;
  const read = { startedAt: now, result };
  reads.delete(key);
  reads.set(key, read);
  try {
    return await result;
  } finally {
    if (reads.get(key) === read) reads.delete(key);
  }
}

/** The read under way. One that has taken too long is forgotten, because its invocation may have been ended. */
function underWay<T>(key: string, now: number): Promise<T | null> | undefined {
  for (const [name, { startedAt }] of reads) {
    if (now - startedAt < LINK_READ_TIMEOUT_MS) break;
    reads.delete(name);
  }
  return reads.get(key)?.result as Promise<T | null> | undefined;
}

/** For tests, which share the isolate. */
export function clear(): void {
  reads.clear();
}
