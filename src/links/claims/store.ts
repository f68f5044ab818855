import { addAuditEntry } from "../../access/audit/store/entries.ts";
import type { Starter } from "../../platform/auth/still-allowed.ts";
import type { CallContext } from "../../platform/context.ts";
import { isLiveOrRestorable, isUntrustedAccount } from "../../platform/database/account-states.ts";
import { Batch } from "../../platform/database/batch.ts";
import { holds, Parameters } from "../../platform/database/parameters.ts";
import { OutboxBatch } from "../../platform/outbox/batch.ts";
import { countWithinQuotas } from "../../access/usage/store.ts";
import { and, areAsRead } from "../store/as-read.ts";
import { enqueueLinkEvents } from "../store/events.ts";
import { bytesOf, LINK_COLUMNS, type LinkRow } from "../store/row.ts";
import { sequenceOf } from "../store/sequence.ts";
import { JUDGEMENT_COLUMNS, type OwnJudgement } from "../store/verdicts.ts";
import type { ClaimedLink } from "./decide.ts";
import { ANONYMOUS_LINK_TTL_MS, CLICK_MOVE_DELAY_MS, MAX_CLAIMS_PER_BROWSER } from "../limits.ts";

/** Which browser can claim which anonymous link (the table `link_claims`). */

/** Lets the browser claim the link, unless it can claim {@link MAX_CLAIMS_PER_BROWSER} already. */
export async function addClaim(db: D1Database, linkId: string, hash: string, now: number): Promise<void> {
  await db
    .prepare(
      `INSERT INTO link_claims (link_seq, link_id, hash, created_at) SELECT CAST(?1 AS INTEGER), ?2, ?3, ?4
       WHERE (SELECT count(*) FROM link_claims WHERE hash = ?3 AND claimed_by IS NULL) < ${MAX_CLAIMS_PER_BROWSER}
       ON CONFLICT DO NOTHING`,
    )
    .bind(sequenceOf(linkId), linkId, hash, now)
    .run();
}

/** The account that claims links. */
interface Claim {
  accountId: number;
  /** Different for each claim. */
  claimId: string;
  /** Who claims, for the audit log. */
  actor: Starter;
}

/** Reads the links that the browser can claim, and whether the account is not trusted yet. */
export async function readClaimable(
  { db, now }: CallContext,
  hash: string,
  accountId: number,
): Promise<{ rows: OwnJudgement[]; isUntrusted: boolean }> {
  const batch = new Batch(db);
  const claimable = batch.add<OwnJudgement>(
    `SELECT ${JUDGEMENT_COLUMNS} FROM links l WHERE seq IN (
       SELECT c.link_seq FROM link_claims c CROSS JOIN links f ON f.seq = c.link_seq AND f.id = c.link_id
       WHERE c.hash = ?1 AND c.claimed_by IS NULL AND f.account_id IS NULL AND f.expires_at > ?2)`,
    [hash, now],
  );
  const trust = batch.add<{ is_untrusted: 0 | 1 }>(`SELECT ${isUntrustedAccount("?1")} AS is_untrusted`, [accountId]);
  await batch.commit();
  return { rows: claimable.rows, isUntrusted: trust.first?.is_untrusted === 1 };
}

/**
 * Gives the links to the account, with their events, in one transaction. It is idempotent by the id of the claim. Returns the links,
 * or none if one of them, or the trust of the account, has changed since it was read: then none is claimed.
 */
export async function writeClaim(
  context: CallContext,
  hash: string,
  claim: Claim,
  links: readonly ClaimedLink[],
  isUntrusted: boolean,
): Promise<LinkRow[]> {
  const { now, country } = context;
  const { accountId, claimId, actor } = claim;
  const rows = links.map(({ before }) => before);
  const batch = new OutboxBatch(context);
  addClaims(batch, hash, claim, rows, isUntrusted, now);
  const isClaimed = {
    condition: `l.seq IN (${rows.map(({ id }) => sequenceOf(id)).join(",")})
      AND EXISTS (SELECT 1 FROM link_claims c WHERE c.link_seq = l.seq AND c.claimed_by = ?1)`,
    values: [claimId],
  };
  const bytes = JSON.stringify(Object.fromEntries(rows.map((row) => [row.id, bytesOf(row)])));
  countWithinQuotas(
    batch,
    `SELECT ?2 AS account_id, count(*) AS links, sum(?3 ->> l.id) AS bytes
     FROM links l WHERE ${isClaimed.condition} AND l.account_id IS NULL HAVING count(*) > 0`,
    [claimId, accountId, bytes],
  );
  const columns = links.map(({ after, ownVerdict }) => [after.id, [ownVerdict, after.updated_at]] as const);
  batch.add(
    `UPDATE links AS l SET account_id = ?2, created_by_user = ?3, expires_at = NULL,
       status = iif(coalesce(visits >= max_clicks, 0), status, 'active'), verdict = ?4 -> l.id ->> 0, updated_at = ?4 -> l.id ->> 1
     WHERE ${isClaimed.condition} AND l.account_id IS NULL`,
    [claimId, accountId, actor.id, JSON.stringify(Object.fromEntries(columns))],
  );
  const claimed = links.map(({ after }) => after);
  enqueueLinkEvents(batch, "link.create", claimed, isClaimed, context);
  const ofClaim = (parameters: Parameters) =>
    `FROM link_claims WHERE hash = ${parameters.add(hash)} AND claimed_by = ${parameters.add(claimId)}`;
  const after = (parameters: Parameters) => `(SELECT json_object('links', count(*)) ${ofClaim(parameters)})`;
  const action = "links.claim" as const;
  const entry = { id: claimId, account: { id: accountId }, actor, action, targetId: claimId, country, after };
  addAuditEntry(batch, entry, now, holds`EXISTS (SELECT 1 ${ofClaim})`);
  const stored = batch.add<LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM links l WHERE ${isClaimed.condition}`,
    isClaimed.values,
  );
  await batch.commitWithRetry();
  return stored.rows;
}

/** Marks the claims as claimed: all, or none if one of the links is not as it was read, or can no longer be claimed. */
function addClaims(
  batch: Batch,
  hash: string,
  { accountId, claimId }: Claim,
  rows: readonly OwnJudgement[],
  isUntrusted: boolean,
  now: number,
): void {
  const verdicts = JSON.stringify(Object.fromEntries(rows.map((row) => [row.id, row.own_verdict])));
  const { condition, values } = and(
    areAsRead(rows),
    (parameters) => `l.verdict = ${parameters.add(verdicts)} ->> l.id`,
  );
  const parameters = new Parameters(values);
  const [claimedBy, account, moveAt, browser] = [claimId, accountId, now + CLICK_MOVE_DELAY_MS, hash].map((value) =>
    parameters.add(value),
  ) as [string, string, string, string];
  batch.add(
    `UPDATE link_claims SET claimed_by = ${claimedBy}, account_id = ${account}, move_at = ${moveAt}
     WHERE link_seq IN (${rows.map(({ id }) => sequenceOf(id)).join(",")}) AND hash = ${browser} AND claimed_by IS NULL
       AND ${isUntrustedAccount(account)} = ${parameters.add(isUntrusted ? 1 : 0)}
       AND ${rows.length} = (SELECT count(*) FROM links l CROSS JOIN link_claims c ON c.link_seq = l.seq
         WHERE ${condition} AND c.hash = ${browser} AND c.claimed_by IS NULL)`,
    parameters.values,
  );
}

/** A claimed link whose clicks must still be moved. */
export interface DueMove {
  link_id: string;
  account_id: number;
  /** 1: the account does not exist, or can no longer be restored. Its ClickLog must stay empty. */
  is_purged: 0 | 1;
}

/** Returns up to `limit` links whose clicks are to be moved, the longest due first. */
export async function findDueMoves(db: D1Database, now: number, limit: number): Promise<DueMove[]> {
  const { results } = await db
    .prepare(
      `SELECT link_id, account_id, NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = c.account_id
         AND ${isLiveOrRestorable("a.deleted_at", "?1")}) AS is_purged
       FROM link_claims c WHERE move_at <= ?1 ORDER BY move_at LIMIT ?2`,
    )
    .bind(now, limit)
    .all<DueMove>();
  return results;
}

export async function deleteClaim(db: D1Database, linkId: string): Promise<void> {
  await db.prepare("DELETE FROM link_claims WHERE link_seq = CAST(?1 AS INTEGER)").bind(sequenceOf(linkId)).run();
}

export async function delayMove(db: D1Database, linkId: string, moveAt: number): Promise<void> {
  await db
    .prepare("UPDATE link_claims SET move_at = ?2 WHERE link_seq = CAST(?1 AS INTEGER)")
    .bind(sequenceOf(linkId), moveAt)
    .run();
}

/** Deletes up to `limit` claims of links that have expired. Returns their number. */
export async function deleteOldClaims(db: D1Database, now: number, limit: number): Promise<number> {
  const { results } = await db
    .prepare(
      `DELETE FROM link_claims WHERE link_seq IN
         (SELECT link_seq FROM link_claims WHERE claimed_by IS NULL AND created_at <= ?1 ORDER BY created_at LIMIT ?2)
       RETURNING 1`,
    )
    .bind(now - ANONYMOUS_LINK_TTL_MS, limit)
    .all();
  return results.length;
}
