import { describeError, log } from "../../platform/lib/log.ts";
import { withTimeout } from "../../platform/lib/timeout.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { starterOf } from "../../platform/auth/still-allowed.ts";
import { publishLinks } from "../../redirect/lookup/publish.ts";
import { findExceeded, toQuotaError } from "../../access/usage/quota.ts";
import { isOverQuota, readUsage } from "../../access/usage/store.ts";
import { syncClickCounters } from "../click-counters.ts";
import type { Link } from "../contract.ts";
import { refuse } from "../refusal.ts";
import { repeatDecisions } from "../repeat.ts";
import { findLinks } from "../store/links.ts";
import { bytesOf, toLink, type LinkRow } from "../store/row.ts";
import { hashClaimSecret } from "./cookie.ts";
import { decideClaim } from "./decide.ts";
import { moveClicks } from "./move-clicks.ts";
import * as store from "./store.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";
import { CLICK_MOVE_TIMEOUT_MS } from "../limits.ts";

/**
 * Lets the browser with this secret claim an anonymous link. The link exists already, so a failure is only logged. Returns
 * whether the link can be claimed.
 */
export async function offerClaim(
  { db, now, requestId }: Pick<RequestContext, "db" | "now" | "requestId">,
  linkId: string,
  secret: string,
): Promise<boolean> {
  try {
    await store.addClaim(db, linkId, await hashClaimSecret(secret), now);
    return true;
  } catch (error) {
    log("warn", "claim_not_stored", { requestId, ...describeError(error) });
    return false;
  }
}

/**
 * Moves the links that the browser with this secret can claim into the account, all or none. Returns them, newest first.
 * Throws a 403 if a quota refuses them.
 */
export async function claimLinks(context: RequestContext, secret: string): Promise<Link[]> {
  const { db, now, baseUrl, principal } = context;
  const hash = await hashClaimSecret(secret);
  const { accountId } = principal;
  const claim = { accountId, claimId: newId(now), actor: starterOf(principal) };
  let claimed: LinkRow[] = [];
  const left = await repeatDecisions([claim.claimId], async (pending) => {
    const { rows, isUntrusted } = await store.readClaimable(context, hash, accountId);
    if (rows.length === 0) return [];
    const links = rows.map((row) => decideClaim(row, { accountId, userId: claim.actor.id, isUntrusted }, now));
    try {
      claimed = await store.writeClaim(context, hash, claim, links, isUntrusted);
      return claimed.length === 0 ? [...pending] : [];
    } catch (error) {
      if (!isOverQuota(error)) throw error;
      const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
      const quota = findExceeded(await readUsage(db, accountId), rows.length, bytes);
      // null: there is room by now.
      if (quota === null) return [...pending];
      throw toQuotaError(quota);
    }
  });
  if (left.length > 0) throw refuse("changed_concurrently").error;
  if (claimed.length === 0) return [];
  await publishLinks(
    context,
    claimed.map((row) => ({ row, domain: row.domain, slugs: [row.slug], isGone: false })),
  );
  await moveClicksNow(context, claimed);
  await syncClickCounters(context);
  const rows = await findLinks(
    db,
    claimed.map(({ id }) => id),
  );
  return newestFirst(rows).map((row) => toLink(row, baseUrl, now));
}

/** The cron moves what this cannot move in time. */
async function moveClicksNow({ env, waitUntil, principal }: RequestContext, links: readonly LinkRow[]): Promise<void> {
  const moves = moveClicks(
    env,
    principal.accountId,
    links.map(({ id }) => id),
  );
  waitUntil(moves.catch(() => undefined));
  try {
    await withTimeout(moves, CLICK_MOVE_TIMEOUT_MS);
  } catch (error) {
    log("warn", "clicks_not_moved", { links: links.length, ...describeError(error) });
  }
}

function newestFirst(rows: readonly LinkRow[]): LinkRow[] {
  return rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}
