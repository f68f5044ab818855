import type { AccountChange } from "../../../access/audit/change.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { allOf, holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../../platform/http/pagination.ts";
import { MAX_IN_FLIGHT_PER_HOST } from "../../../limits.ts";
import type { EventType } from "../../../platform/outbox/event-types.ts";
import { listWaitingBeside } from "../../store/state.ts";
import { LISTENER_TTL_MS, MAX_LISTENERS_PER_ACCOUNT } from "../limits.ts";

/**
 * Listeners are rows of the table `webhooks` with a slot, so that events find them as they find webhooks. They have no URL and
 * no host: all listeners of an account share the senders of the host ''.
 */

interface ListenerRow {
  id: string;
  account_id: number;
  /** JSON array. */
  events: string;
  /** Encrypted. */
  secret: string;
}

// Parameters: ?1 listener, ?2 now.
const IS_ALIVE = "id = ?1 AND listener_slot IS NOT NULL AND expires_at > ?2";

interface NewListener {
  id: string;
  events: readonly EventType[];
  sealedSecret: string;
  secretStart: string;
}

/** `limit_reached`: the account has {@link MAX_LISTENERS_PER_ACCOUNT} already. `demoted`: the person has lost the role. */
type InsertOutcome = "created" | "limit_reached" | "demoted";

/** Stores a listener in a free slot. Slots are numbers in a unique index, so concurrent requests cannot exceed the limit. */
export async function insertListener(
  db: D1Database,
  { accountId, now, creator, isAllowed, record }: AccountChange,
  { id, events, sealedSecret, secretStart }: NewListener,
): Promise<InsertOutcome> {
  const batch = new Batch(db);
  const check = addCheck(batch, isAllowed);
  deleteListeners(batch, "account_id = ?1 AND listener_slot IS NOT NULL AND expires_at <= ?2", [accountId, now]);
  const own = [id, accountId, JSON.stringify(events), sealedSecret, secretStart, now];
  const parameters = new Parameters([...own, creator.key, creator.user]);
  batch.add(
    `INSERT INTO webhooks (id, account_id, url, host, events, secret, secret_start, status, in_flight_limit, created_at,
       listener_slot, expires_at, created_by_key, created_by_user)
     WITH RECURSIVE slots (slot) AS (SELECT 1 UNION ALL SELECT slot + 1 FROM slots WHERE slot < ${MAX_LISTENERS_PER_ACCOUNT})
     SELECT ?1, ?2, '', '', ?3, ?4, ?5, 'active', ${MAX_IN_FLIGHT_PER_HOST}, ?6, slot, ?6 + ${LISTENER_TTL_MS}, ?7, ?8 FROM slots
     WHERE slot NOT IN (SELECT listener_slot FROM webhooks INDEXED BY webhooks_listeners
         WHERE account_id = ?2 AND listener_slot IS NOT NULL) AND ${isAllowed(parameters)}
     ORDER BY slot LIMIT 1 ON CONFLICT DO NOTHING`,
    parameters.values,
  );
  record(batch, "listener.create", id, isListenerOf(accountId, id));
  const created = addCheck(batch, isListenerOf(accountId, id));
  await batch.commitWithRetry();
  if (created.first !== undefined) return "created";
  return check.first === undefined ? "demoted" : "limit_reached";
}

function isListenerOf(accountId: number, id: string): Condition {
  return holds`EXISTS (SELECT 1 FROM webhooks WHERE id = ${id} AND account_id = ${accountId}
    AND listener_slot IS NOT NULL)`;
}

/** Returns null if there is no such listener, or if it has expired. */
export async function findListener(db: D1Database, id: string, now: number): Promise<ListenerRow | null> {
  return db
    .prepare(`SELECT id, account_id, events, secret FROM webhooks WHERE ${IS_ALIVE}`)
    .bind(id, now)
    .first<ListenerRow>();
}

interface ListedRow extends Pick<ListenerRow, "id" | "events"> {
  secret_start: string;
  created_at: number;
  expires_at: number;
}

/** Returns the account's listeners that have not expired, newest first, with one more than the page holds. */
export async function listListeners(db: D1Database, accountId: number, page: Page, now: number): Promise<ListedRow[]> {
  const { results } = await db
    .prepare(
      `SELECT id, events, secret_start, created_at, expires_at FROM webhooks INDEXED BY webhooks_listeners
       WHERE account_id = ?1 AND listener_slot IS NOT NULL AND expires_at > ?2 AND id < ?3
       ORDER BY id DESC LIMIT ?4 OFFSET ?5`,
    )
    .bind(accountId, now, ...boundsOf(page))
    .all<ListedRow>();
  return results;
}

/** Makes this the newest poll of the listener, which lives on from now. Returns whether the listener is still there. */
export async function startPoll(db: D1Database, id: string, pollId: string, now: number): Promise<boolean> {
  const batch = new Batch(db);
  const started = batch.add(
    `UPDATE webhooks SET poll_id = ?3, expires_at = max(expires_at, ?2 + ${LISTENER_TTL_MS}) WHERE ${IS_ALIVE} RETURNING 1 AS found`,
    [id, now, pollId],
  );
  await batch.commitWithRetry();
  return started.first !== undefined;
}

/** A listener as a poll sees it. */
interface PollState {
  /** The end of its newest event. */
  lastOffset: number;
  /** False: a newer poll has begun, or the caller has lost the right. */
  goesOn: 0 | 1;
}

/** Returns null if there is no such listener. */
export async function readPoll(
  db: D1Database,
  id: string,
  { pollId, isAllowed, now }: { pollId: string; isAllowed: Condition; now: number },
): Promise<PollState | null> {
  const parameters = new Parameters([id, now, pollId]);
  return db
    .prepare(
      `SELECT last_offset AS lastOffset, poll_id = ?3 AND ${isAllowed(parameters)} AS goesOn FROM webhooks WHERE ${IS_ALIVE}`,
    )
    .bind(...parameters.values)
    .first<PollState>();
}

/** What a listener leaves behind: the account's other listeners that waited for its senders; null: the person has lost the role. */
export async function deleteListener(
  db: D1Database,
  { accountId, now, isAllowed, record }: AccountChange,
  id: string,
): Promise<string[] | null> {
  const batch = new Batch(db);
  const check = addCheck(batch, isAllowed);
  const waiting = listWaitingBeside(batch, id, now);
  const condition = allOf(isAllowed, isListenerOf(accountId, id));
  record(batch, "listener.delete", id, condition);
  batch.sql`DELETE FROM webhooks WHERE id = ${id} AND ${condition}`;
  batch.add("DELETE FROM waiting_clicks WHERE webhook_id = ?1 AND NOT EXISTS (SELECT 1 FROM webhooks WHERE id = ?1)", [
    id,
  ]);
  await batch.commitWithRetry();
  return check.first === undefined ? null : waiting.rows.map((row) => row.id);
}

/** The cron's part: deletes up to `limit` listeners that have expired, and returns their number. */
export async function deleteEndedListeners(db: D1Database, now: number, limit: number): Promise<number> {
  const batch = new Batch(db);
  const deleted = deleteListeners(
    batch,
    "id IN (SELECT id FROM webhooks INDEXED BY webhooks_expiring WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)",
    [now, limit],
  );
  await batch.commit();
  return deleted.rows.length;
}

/** Deletes the listeners of the condition with the clicks that wait. Their deliveries are given up, and their events expire. */
function deleteListeners(batch: Batch, condition: string, values: readonly number[]) {
  batch.add(`DELETE FROM waiting_clicks WHERE webhook_id IN (SELECT id FROM webhooks WHERE ${condition})`, values);
  return batch.add(`DELETE FROM webhooks WHERE ${condition} RETURNING 1 AS deleted`, values);
}
