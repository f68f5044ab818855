import { pause } from "../platform/lib/timeout.ts";
import { CHANGE_BACKOFF_MS, MAX_CHANGE_BACKOFF_MS, MAX_DECISIONS } from "./limits.ts";

/**
 * Decides about links, and writes what was decided. `decide` returns the ids of the links that were changed between reading and
 * writing: they are read and decided again after a random wait, at most {@link MAX_DECISIONS} times. Returns those that are left.
 */
export async function repeatDecisions(
  ids: readonly string[],
  decide: (ids: readonly string[], isFirst: boolean) => Promise<string[]>,
): Promise<readonly string[]> {
  let pending = ids;
  for (let attempt = 1; attempt <= MAX_DECISIONS && pending.length > 0; attempt++) {
    if (attempt > 1)
      await pause(Math.random() * Math.min(2 ** (attempt - 2) * CHANGE_BACKOFF_MS, MAX_CHANGE_BACKOFF_MS));
    pending = await decide(pending, attempt === 1);
  }
  return pending;
}
