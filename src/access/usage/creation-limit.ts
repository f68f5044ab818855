import type { Principal, RequestContext } from "../../platform/auth/principal.ts";
import { ExpiringMap } from "../../platform/lib/expiring-map.ts";
import { accountLinksPerMinute, refused } from "../../platform/rate-limit/creation-limits.ts";
import { toSeconds } from "../../platform/rate-limit/rate-limit.ts";
import { createWindow, recordCall } from "../../platform/rate-limit/window.ts";
import { MAX_REMEMBERED_ACCOUNTS } from "./limits.ts";
import { isOverCreationLimit, readCreationTimes, type CreationLimit } from "./store.ts";

/** Accounts that may not create a link, by their ids, as long as this isolate knows. So a flood does not reach the database. */
const refusals = new ExpiringMap<true>(MAX_REMEMBERED_ACCOUNTS);

/**
 * Runs a transaction that creates up to `links` links of the caller's account, from whatever addresses. Throws 429 if the
 * account creates too many; then none is stored. Anonymous callers have other limits.
 */
export async function withinCreationLimit<T>(
  { env, db, principal, now }: RequestContext<Principal | null>,
  links: number,
  create: (limit: CreationLimit | null) => Promise<T>,
): Promise<T> {
  if (principal === null) return create(null);
  const { accountId } = principal;
  const perMinute = accountLinksPerMinute(env);
  // Several links may have to wait longer than one.
  const refusedMs = links === 1 ? refusals.remainingMs(String(accountId), now) : 0;
  if (refusedMs > 0) throw tooManyLinks(perMinute, 0, refusedMs);
  try {
    return await create({ perMinute, now });
  } catch (error) {
    if (!isOverCreationLimit(error)) throw error;
    const accepted = await readCreationTimes(db, accountId);
    const decide = (weight: number) => {
      const options = { weight, counts: false, penalties: false };
      return recordCall({ ...createWindow(), accepted: [...accepted] }, perMinute, now, options);
    };
    const { allowed, waitMs: oneMs } = decide(1);
    if (!allowed) refusals.set(String(accountId), true, now + oneMs);
    const { remaining, waitMs } = decide(links);
    throw tooManyLinks(perMinute, remaining, waitMs);
  }
}

function tooManyLinks(perMinute: number, remaining: number, waitMs: number): Error {
  const status = { remaining, waitSeconds: toSeconds(waitMs) };
  return refused(`This account creates more than ${perMinute} links a minute.`, perMinute, status);
}
