import { addAuditEntry } from "../../audit/store/entries.ts";
import type { Starter } from "../../auth/still-allowed.ts";
import type { CallContext } from "../../context.ts";
import { isLiveOrRestorable } from "../../database/account-states.ts";
import { isUntrustedAccount } from "../../safety/trust/store.ts";
import { Batch } from "../../database/batch.ts";
import { holds, type Parameters } from "../../database/parameters.ts";
import { OutboxBatch } from "../../outbox/batch.ts";
import { whenTrusted, whenUntrusted } from "../../safety/verdict.ts";
import { countWithinQuotas, isOverQuota, selectUsage, type UsageRow } from "../../usage/store.ts";
import { changeValues, enqueueEvents } from "../store/events.ts";
import { LINK_COLUMNS, linkBytes, type LinkRow } from "../store/row.ts";
import { sequenceOf } from "../store/sequence.ts";
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

interface Claimable {
  links: number;
  bytes: number;
}

interface ClaimResult {
  /** The links as they are after the claim. Empty if a quota refuses them, or if there are none. */
  claimed: LinkRow[];
  /** What the browser can still claim. */
  claimable: Claimable;
  usage: UsageRow;
}

/** The account that claims links. */
interface Claim {
  accountId: number;
  /** Different for each claim. */
  claimId: string;
  /** Who claims, for the audit log. */
  actor: Starter;
}

/** SQL for the bytes of the link `l` for the quota. */
const BYTES = linkBytes((column) => `l.${column}`);

/** Links `l` with the claims `c` of the browser ?1 that can still be claimed at the time ?2. */
const CLAIMABLE = `link_claims c CROSS JOIN links l ON l.seq = c.link_seq AND l.id = c.link_id
  WHERE c.hash = ?1 AND c.claimed_by IS NULL AND l.account_id IS NULL AND l.expires_at > ?2`;

/** The links `l` that the browser ?1 claims with the id ?2, before they are the account's. */
const CLAIMED = `link_claims c CROSS JOIN links l ON l.seq = c.link_seq
  WHERE c.hash = ?1 AND c.claimed_by = ?2 AND l.account_id IS NULL`;

/**
 * SQL for the verdict of a link that the account ?3 claims. An owner who is not trusted yet could change the destination of a link
 * that screening has allowed.
 */
const VERDICT_AFTER_CLAIM = `iif(${isUntrustedAccount("?3")}, ${whenUntrusted("verdict")}, ${whenTrusted("verdict")})`;

/** Gives the links to the account, with their events, in one transaction. It is idempotent by the id of the claim. */
export async function claimLinks(context: CallContext, hash: string, claim: Claim): Promise<ClaimResult> {
  try {
    return await tryToClaim(context, hash, claim);
  } catch (error) {
    if (!isOverQuota(error)) throw error;
    const batch = new Batch(context.db);
    const left = readLeft(batch, hash, claim, context.now);
    await batch.commit();
    return { claimed: [], ...left() };
  }
}

async function tryToClaim(context: CallContext, hash: string, claim: Claim): Promise<ClaimResult> {
  const { now, country } = context;
  const { accountId, claimId, actor } = claim;
  const batch = new OutboxBatch(context);
  batch.add(
    `UPDATE link_claims SET claimed_by = ?3, account_id = ?4, move_at = ?5
     WHERE link_seq IN (SELECT l.seq FROM ${CLAIMABLE})`,
    [hash, now, claimId, accountId, now + CLICK_MOVE_DELAY_MS],
  );
  const total = `SELECT ?3 AS account_id, count(*) AS links, sum(${BYTES}) AS bytes FROM ${CLAIMED} HAVING count(*) > 0`;
  countWithinQuotas(batch, total, [hash, claimId, accountId]);
  batch.add(
    `UPDATE links SET account_id = ?3, created_by_user = ?5, expires_at = NULL, verdict = ${VERDICT_AFTER_CLAIM}, updated_at = max(?4, updated_at + 1)
     WHERE seq IN (SELECT l.seq FROM ${CLAIMED})`,
    [hash, claimId, accountId, now, actor.id],
  );
  const claims = "FROM link_claims WHERE hash = ?1 AND claimed_by = ?2";
  enqueueEvents(batch, "link.create", now, changeValues(context, accountId, hash, claimId), {
    from: `(SELECT link_seq, row_number() OVER (ORDER BY link_seq) AS number FROM link_claims
      WHERE hash = ?5 AND claimed_by = ?6) c CROSS JOIN links l ON l.seq = c.link_seq`,
    number: "c.number",
    account: "?4",
  });
  const ofClaim = (parameters: Parameters) =>
    `FROM link_claims WHERE hash = ${parameters.add(hash)} AND claimed_by = ${parameters.add(claimId)}`;
  const after = (parameters: Parameters) => `(SELECT json_object('links', count(*)) ${ofClaim(parameters)})`;
  const action = "links.claim" as const;
  const entry = { id: claimId, account: { id: accountId }, actor, action, targetId: claimId, country, after };
  addAuditEntry(batch, entry, now, holds`EXISTS (SELECT 1 ${ofClaim})`);
  const claimed = batch.add<LinkRow>(`SELECT ${LINK_COLUMNS} FROM links l WHERE seq IN (SELECT link_seq ${claims})`, [
    hash,
    claimId,
  ]);
  const left = readLeft(batch, hash, claim, now);
  await batch.commitWithRetry();
  return { claimed: claimed.rows, ...left() };
}

/** Reads what the browser can still claim, and the usage of the account. */
function readLeft(batch: Batch, hash: string, { accountId }: Claim, now: number): () => Omit<ClaimResult, "claimed"> {
  const claimable = batch.add<Claimable>(
    `SELECT count(*) AS links, coalesce(sum(${BYTES}), 0) AS bytes FROM ${CLAIMABLE}`,
    [hash, now],
  );
  const usage = batch.add<UsageRow>(selectUsage("?1"), [accountId]);
  return () => {
    if (claimable.first === undefined || usage.first === undefined) throw new Error("the account has no usage");
    return { claimable: claimable.first, usage: usage.first };
  };
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
