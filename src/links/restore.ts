import { queryClickLog } from "../clicks/click-log/stub.ts";
import type { AccountContext } from "../context.ts";
import { isId } from "../lib/uuid.ts";
import { describeError, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import { DELETED_LINK_KEPT_MS } from "../limits.ts";
import { publishLinks } from "../redirect/lookup/publish.ts";
import { slugsOf } from "./aliases.ts";
import { requireLinkId } from "./get-link.ts";
import { refuse, rowOf, type LinkOutcome } from "./refusal.ts";
import { screenFields, toDestinations, watchLinks } from "./screening.ts";
import { findWithDeleted, parseDeletedLink } from "./store/deleted-links.ts";
import * as store from "./store/restore.ts";
import { NESTED_SLUGS_OFF } from "./validate.ts";
import type { LinkRow } from "./store/row.ts";
import { CLICK_COUNTERS_TIMEOUT_MS } from "./limits.ts";

/** Restores the account's deleted link and returns it. A link that is not deleted is returned as it is. Throws if it is refused. */
export async function restoreLink(context: AccountContext, id: string): Promise<LinkRow> {
  requireLinkId(id);
  return rowOf(await tryRestoreLink(context, id));
}

/** As {@link restoreLink}, but returns why it is refused. */
export async function tryRestoreLink(context: AccountContext, id: string): Promise<LinkOutcome> {
  const { db, now, principal } = context;
  const { present, deleted } = await findWithDeleted(db, isId(id) ? [id] : []);
  const found = present[0] ?? deleted[0];
  if (found === undefined) return refuse("not_found");
  if (found.account_id !== principal.accountId) return refuse("forbidden");
  if (!("deleted_at" in found)) return { ok: true, row: found };
  if (found.deleted_at + DELETED_LINK_KEPT_MS <= now) return refuse("not_found");
  const deletedRow = parseDeletedLink(found);
  const [errors = []] = await screenFields(context, [toDestinations(deletedRow)]);
  if (errors.length > 0) return refuse("destination_blocked", { errors });
  const before = await withCounters(context, deletedRow);
  const result = await store.restoreLink(context, principal.accountId, before);
  if (result.outcome === "nested_slugs_off") return refuse("invalid", { errors: [NESTED_SLUGS_OFF] });
  if (result.outcome !== "restored") {
    const fields = { domain: before.domain, externalId: before.external_id };
    const quota = result.outcome === "quota_exceeded" && { quota: result.quota };
    return refuse(result.outcome, { slug: before.slug, fields, ...quota });
  }
  const { row } = result;
  watchLinks(context, [row.id]);
  await publishLinks(context, [{ row, domain: row.domain, slugs: slugsOf(row), isGone: false }]);
  return { ok: true, row };
}

/** The row with its present counters: clicks that were made before the deletion may have been stored after it. */
async function withCounters(context: AccountContext, row: LinkRow): Promise<LinkRow> {
  const { principal } = context;
  try {
    const counting = queryClickLog(context, (log) => log.countersOf([row.id]));
    const [counter] = await withTimeout(counting, CLICK_COUNTERS_TIMEOUT_MS);
    return {
      ...row,
      clicks: Math.max(row.clicks, counter?.clicks ?? 0),
      last_clicked_at: Math.max(row.last_clicked_at, counter?.lastClickedAt ?? 0),
    };
  } catch (error) {
    log("warn", "click_counters_not_synced", { accountId: principal.accountId, ...describeError(error) });
    return row;
  }
}
