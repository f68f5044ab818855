import { addAuditEntry, isFirstEntry } from "../../../audit/store/entries.ts";
import type { ServiceContext } from "../../../context.ts";
import { Batch } from "../../../database/batch.ts";
import { allOf, holds, Parameters, type Condition } from "../../../database/parameters.ts";
import { directoryKeySql } from "../../../directory/key.ts";
import { newId } from "../../../lib/uuid.ts";
import { OutboxBatch } from "../../../outbox/batch.ts";
import { countWithinQuotas } from "../../../usage/store.ts";
import { CLICK_MOVE_DELAY_MS, UNFINISHED_CLAIM_MS } from "../../limits.ts";
import { changeValues, enqueueEvents } from "../../store/events.ts";
import { columnsOf, linkBytes, ROW_JSON, STORED_COLUMNS } from "../../store/row.ts";
import { sequenceOf } from "../../store/sequence.ts";
import { BYTES, CLAIMABLE, verdictAfterClaim } from "../store.ts";

/**
 * Claims by accounts whose links are in another database than the anonymous link (ADR 0042). The link is marked in its own database,
 * stored in that of the account, and deleted in its own. Each step may be repeated, by any number of callers at the same time.
 */

/** A claim whose links are marked for the account. */
export interface MarkedClaim {
  /** The id of the change. */
  id: string;
  /** Of the browser. */
  hash: string;
  accountId: number;
  /** The user who claims. */
  userId: string;
  /** From which country; null: unknown. */
  country: string | null;
}

/** A marked link that is still an anonymous one. */
export interface MarkedLink {
  id: string;
  /** In decimal, because JavaScript numbers cannot hold all of its digits. */
  seq: string;
  /** Its version, in Unix milliseconds. */
  updated_at: number;
  /** The row as a JSON object. */
  row: string;
  bytes: number;
}

/** The marked links `l` of the browser ?1 and the claim ?2 that are still anonymous. */
const MARKED = `link_claims c CROSS JOIN links l ON l.seq = c.link_seq AND l.id = c.link_id
  WHERE c.hash = ?1 AND c.claimed_by = ?2 AND l.account_id IS NULL`;

/** Marks the links that the browser can claim, which decides between accounts. Repeated with the same id it changes nothing more. */
export async function markLinks(
  db: D1Database,
  { id, hash, accountId, userId }: MarkedClaim,
  now: number,
): Promise<void> {
  const batch = new Batch(db);
  batch.add(
    `UPDATE link_claims SET claimed_by = ?3, account_id = ?4, user_id = ?5, move_at = ?6
     WHERE link_seq IN (SELECT l.seq FROM ${CLAIMABLE})`,
    [hash, now, id, accountId, userId, now + UNFINISHED_CLAIM_MS],
  );
  await batch.commitWithRetry();
}

/** Returns the marked links that are still anonymous. */
export async function readMarked(db: D1Database, { id, hash }: MarkedClaim): Promise<MarkedLink[]> {
  const columns = `l.id, CAST(l.seq AS TEXT) AS seq, l.updated_at, ${ROW_JSON} AS row, ${BYTES} AS bytes`;
  const { results } = await db.prepare(`SELECT ${columns} FROM ${MARKED}`).bind(hash, id).all<MarkedLink>();
  return results;
}

/** Takes the marks back. The links can be claimed again. */
export async function unmarkLinks(db: D1Database, { id, hash }: MarkedClaim): Promise<void> {
  await db
    .prepare(
      `UPDATE link_claims SET claimed_by = NULL, account_id = NULL, user_id = NULL, move_at = NULL
       WHERE link_seq IN (SELECT l.seq FROM ${MARKED})`,
    )
    .bind(hash, id)
    .run();
}

/** The links ?1 as the account ?2 has them from the time ?3 on, claimed by the user ?4. */
const CLAIMED_COLUMNS = columnsOf("j.value", {
  account_id: "?2",
  status: "'active'",
  expires_at: "NULL",
  created_by_user: "?4",
  verdict: verdictAfterClaim("?2", "(j.value ->> 'verdict')"),
  updated_at: "max(?3, (j.value ->> 'updated_at') + 1)",
});

/** Holds until the links of the claim were stored, and unless its marks were taken back. */
function isOpen({ id }: MarkedClaim): Condition {
  return allOf(isFirstEntry(id), holds`NOT EXISTS (SELECT 1 FROM lost_reservations WHERE token = ${id})`);
}

/**
 * Stores the links in the database of the context, with their events, all or none. If they were stored before, their verdicts are those
 * of the anonymous links again. Returns whether they are stored; if not, the marks were taken back. Throws if a quota refuses them.
 */
export async function storeClaimed(
  context: ServiceContext,
  claim: MarkedClaim,
  links: readonly MarkedLink[],
): Promise<boolean> {
  const { now } = context;
  const { id, accountId, userId, country } = claim;
  const rows = `[${links.map(({ row }) => row).join(",")}]`;
  const batch = new OutboxBatch(context);
  const add = (values: Parameters, sql: string) => batch.add(`${sql} ${isOpen(claim)(values)}`, values.values);

  const verdict = verdictAfterClaim("?2", "(j.value ->> 'verdict')");
  batch.add(
    `UPDATE links SET verdict = ${verdict}, updated_at = max(?3, links.updated_at + 1) FROM json_each(?1) j
     WHERE links.seq = CAST(j.value ->> 'seq' AS INTEGER) AND links.id = j.value ->> 'id' AND links.account_id = ?2
       AND links.verdict <> ${verdict}`,
    [rows, accountId, now],
  );
  add(
    new Parameters([rows, accountId, now, userId]),
    `INSERT INTO links (${STORED_COLUMNS.join(", ")}) SELECT ${CLAIMED_COLUMNS} FROM json_each(?1) j WHERE`,
  );
  const stored = "json_each(?1) j CROSS JOIN links l ON l.seq = CAST(j.value ->> 'seq' AS INTEGER)";
  add(
    new Parameters([rows]),
    `INSERT INTO destinations (link_id, link_seq, account_id, due_at, is_queued)
     SELECT l.id, l.seq, l.account_id, l.updated_at, 0 FROM destination_cursor CROSS JOIN ${stored} WHERE`,
  );
  const counted = new Parameters([rows, accountId]);
  const total = `SELECT ?2 AS account_id, count(*) AS links, sum(${linkBytes((column) => `l.${column}`)}) AS bytes
    FROM ${stored} WHERE ${isOpen(claim)(counted)} HAVING count(*) > 0`;
  countWithinQuotas(batch, total, counted.values);
  const reported = new Parameters(changeValues(context, accountId, rows));
  const from = `${stored.replace("?1", "?5")} WHERE ${isOpen(claim)(reported)}`;
  const count = links.length;
  enqueueEvents(batch, "link.create", now, reported.values, { from, number: "j.key", account: "?4", count });
  const actor = { type: "user", id: userId } as const;
  const after = { links: count };
  const entry = { id, account: { id: accountId }, actor, action: "links.claim", targetId: id, country, after } as const;
  addAuditEntry(batch, entry, now, isOpen(claim));
  const found = batch.add("SELECT 1 FROM audit_entries WHERE id = ?1", [id]);
  await batch.commitWithRetry();
  return found.first !== undefined;
}

/** Lets nobody store the links of the claim any more, unless they are stored. Returns whether it is so. */
export async function giveUp(db: D1Database, { id }: MarkedClaim, now: number): Promise<boolean> {
  const batch = new Batch(db);
  batch.sql`INSERT INTO lost_reservations (token, lost_at) SELECT ${id}, ${now} WHERE ${isFirstEntry(id)}
    ON CONFLICT (token) DO NOTHING`;
  const lost = batch.sql`SELECT 1 FROM lost_reservations WHERE token = ${id}`;
  await batch.commitWithRetry();
  return lost.first !== undefined;
}

/**
 * Deletes those of the links that were not changed meanwhile, and writes that the database with this number has their slugs. Their
 * clicks are to be moved from then on.
 */
export async function handOver(
  db: D1Database,
  { id, hash }: MarkedClaim,
  links: readonly MarkedLink[],
  shard: number,
  now: number,
): Promise<void> {
  const batch = new Batch(db);
  const list = JSON.stringify(links.map(({ seq, updated_at: version }) => [seq, version, newId(now)]));
  const from = `${MARKED.replace(" WHERE ", " CROSS JOIN json_each(?3) j WHERE ")}
    AND l.seq = CAST(j.value ->> 0 AS INTEGER) AND l.updated_at = j.value ->> 1`;
  batch.add(
    `INSERT INTO directory (key, shard, token, reserved_at) SELECT ${directoryKeySql("l.domain", "l.slug_key")}, ?4, j.value ->> 2, ?5 FROM ${from}
     ON CONFLICT (key) DO UPDATE SET shard = excluded.shard, token = excluded.token, reserved_at = excluded.reserved_at`,
    [hash, id, list, shard, now],
  );
  batch.add(`UPDATE link_claims SET move_at = ?4 WHERE link_seq IN (SELECT l.seq FROM ${from})`, [
    hash,
    id,
    list,
    now + CLICK_MOVE_DELAY_MS,
  ]);
  batch.add(`DELETE FROM links WHERE seq IN (SELECT l.seq FROM ${from})`, [hash, id, list]);
  await batch.commitWithRetry();
}

/** Deletes an anonymous link that was marked for an account that does not exist any more. */
export async function deleteMarked(db: D1Database, linkId: string): Promise<void> {
  await db
    .prepare("DELETE FROM links WHERE seq = CAST(?1 AS INTEGER) AND id = ?2 AND account_id IS NULL")
    .bind(sequenceOf(linkId), linkId)
    .run();
}
