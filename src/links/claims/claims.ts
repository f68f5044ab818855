import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { newId } from "../../lib/uuid.ts";
import { starterOf } from "../../auth/still-allowed.ts";
import { publishLinks } from "../../redirect/lookup/publish.ts";
import { findExceeded, toQuotaError } from "../../usage/quota.ts";
import { syncClickCounters } from "../click-counters.ts";
import type { Link } from "../contract.ts";
import { findLinks } from "../store/links.ts";
import { toLink, type LinkRow } from "../store/row.ts";
import { hashClaimSecret } from "./cookie.ts";
import { moveClicks } from "./move-clicks.ts";
import * as store from "./store.ts";
import type { RequestContext } from "../../auth/principal.ts";
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
  const claim = { accountId: principal.accountId, claimId: newId(now), actor: starterOf(principal) };
  const { claimed, claimable, usage } = await store.claimLinks(context, hash, claim);
  if (claimed.length === 0) {
    const quota = claimable.links === 0 ? null : findExceeded(usage, claimable.links, claimable.bytes);
    if (quota !== null) throw toQuotaError(quota);
    return [];
  }
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
