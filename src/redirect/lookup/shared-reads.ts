import { LINK_READ_TIMEOUT_MS } from "../limits.ts";

// Reads of the database that several requests of this isolate wait for, so that a link that many want at once is read once.

interface SharedRead {
  startedAt: number;
  result: Promise<unknown>;
}

/** By what is read. The read that began first comes first. */
const reads = new Map<string, SharedRead>();

/**
 * Joins a read that is under way, or begins one with `start`. If the joined read began before this call and finds nothing, it
 * is read once more, because the row may exist by now; all who waited share this second read. The caller must keep the
 * invocation alive until its read ends.
 */
export async function shareRead<T>(key: string, now: number, start: () => Promise<T | null>): Promise<T | null> {
  const earlier = underWay<T>(key, now);
  if (earlier !== undefined) {
    const found = await earlier.catch(() => null);
    if (found !== null) return found;
    const next = underWay<T>(key, now);
    if (next !== undefined) return next;
  }
  const result = start();
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
