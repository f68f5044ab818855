import type { ServiceContext } from "../../context.ts";
import { originWithoutRequest } from "../../lib/hosts.ts";
import { newId } from "../../lib/uuid.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { outboxStatements, wokenBy } from "../../outbox/legacy.ts";
import { notifyWebhooks } from "../../outbox/messages.ts";
import { commonParameters, numberedIds, selectEvent } from "./events.ts";
import { idsIn, isLink, sequenceOf } from "./sequence.ts";

/**
 * The one way of a link from `active` to `expired` (3.3): whether it is past its `expiresAt` or its last visit was
 * taken, it is moved here, and here `link.expired` is emitted, once.
 */
export interface Expiry {
  /** For a batch; they move at most {@link CRON_BATCH_ROWS} links of each kind. */
  statements: D1PreparedStatement[];
  /** What the batch's results for them tell. */
  read: (results: readonly D1Result[]) => { moved: number; webhookIds: string[] };
}

/** Moves what is due of all accounts, the longest overdue first; answers how many. */
export async function expireDueLinks({ env, now }: ServiceContext): Promise<number> {
  const { statements, read } = expiry(env.DB, null, now, originWithoutRequest(env.BASE_URL));
  const { moved, webhookIds } = read(await env.DB.batch(statements));
  await notifyWebhooks(env.DELIVERIES, webhookIds);
  return moved;
}

/** The same for the links of one account. */
export function expireDueOfAccount(db: D1Database, accountId: number, now: number, baseUrl: string): Expiry {
  return expiry(db, accountId, now, baseUrl);
}

function expiry(db: D1Database, accountId: number | null, now: number, baseUrl: string): Expiry {
  const bounds = accountId === null ? [CRON_BATCH_ROWS] : [CRON_BATCH_ROWS, accountId];
  const due = (limit: string, account: string) => (accountId === null ? dueOfAll(limit) : dueOf(account, limit));
  const ids = numberedIds(newId(now));
  const numbered = `(SELECT *, row_number() OVER () AS n FROM links WHERE seq IN (${due("?4", "?5")})) l`;
  const source = {
    select: selectEvent("link.expired", ids.at("l.n"), numbered),
    parameters: [...commonParameters({ now, baseUrl }), ...bounds],
  };
  return {
    statements: [
      ...outboxStatements(db, source, ids),
      db
        .prepare(`UPDATE links SET status = 'expired' WHERE seq IN (${due("?2", "?3")}) RETURNING 1 AS moved`)
        .bind(now, ...bounds),
    ],
    read,
  };
}

/** The same for one link, before a change that may hide that it was over. */
export function expireIfDue(
  db: D1Database,
  { id, accountId }: { id: string; accountId: number },
  { now, baseUrl }: { now: number; baseUrl: string },
): Expiry {
  const eventId = newId(now);
  const source = {
    select: `${selectEvent("link.expired", "?4", "links l")} ${whereDue("?5", "?6", "?7")}`,
    parameters: [...commonParameters({ now, baseUrl }), eventId, sequenceOf(id), id, accountId],
  };
  return {
    statements: [
      ...outboxStatements(db, source, eventId),
      db
        .prepare(`UPDATE links SET status = 'expired' ${whereDue("?2", "?3", "?4")} RETURNING 1 AS moved`)
        .bind(now, sequenceOf(id), id, accountId),
    ],
    read,
  };
}

/** The same for many links of the account, those of {@link toIdsJson}. */
export function expireThoseDue(
  db: D1Database,
  { json, accountId }: { json: string; accountId: number },
  { now, baseUrl }: { now: number; baseUrl: string },
): Expiry {
  const ids = numberedIds(newId(now));
  const source = {
    select: selectEvent("link.expired", ids.at("j.key"), thoseDue("?4", "?5")),
    parameters: [...commonParameters({ now, baseUrl }), json, accountId],
    account: "?5",
  };
  return {
    statements: [
      ...outboxStatements(db, source, ids),
      db
        .prepare(
          `UPDATE links SET status = 'expired' WHERE seq IN (SELECT l.seq FROM ${thoseDue("?2", "?3")})
           RETURNING 1 AS moved`,
        )
        .bind(now, json, accountId),
    ],
    read,
  };
}

/** Of the rows of the last: the database's own count takes in what the triggers write. */
function read([, , owed, moved]: readonly D1Result[]): { moved: number; webhookIds: string[] } {
  return { moved: moved?.results.length ?? 0, webhookIds: wokenBy(owed) };
}

// The links to move at ?1, each kind by its own index and in its order: asked twice in a transaction, they are the same.

const OVERDUE = "status = 'active' AND expires_at IS NOT NULL AND expires_at <= ?1";
const USED_UP = "status = 'active' AND max_clicks IS NOT NULL AND visits >= max_clicks";

function dueOfAll(limit: string): string {
  return `SELECT seq FROM (SELECT seq FROM links INDEXED BY links_due WHERE ${OVERDUE}
      ORDER BY expires_at, seq LIMIT ${limit})
    UNION SELECT seq FROM (SELECT seq FROM links INDEXED BY links_used_up WHERE ${USED_UP}
      ORDER BY account_id, seq LIMIT ${limit})`;
}

function dueOf(account: string, limit: string): string {
  return `SELECT seq FROM (SELECT seq FROM links INDEXED BY links_due_by_account WHERE account_id = ${account} AND ${OVERDUE}
      ORDER BY expires_at, seq LIMIT ${limit})
    UNION SELECT seq FROM (SELECT seq FROM links INDEXED BY links_used_up WHERE account_id = ${account} AND ${USED_UP}
      ORDER BY seq LIMIT ${limit})`;
}

function thoseDue(links: string, account: string): string {
  return `${idsIn(links)} CROSS JOIN links l ON ${isLink("l")}
    WHERE account_id = ${account} AND ((${OVERDUE}) OR (${USED_UP}))`;
}

function whereDue(seq: string, id: string, account: string): string {
  return `WHERE seq = ${seq} AND id = ${id} AND account_id = ${account} AND ((${OVERDUE}) OR (${USED_UP}))`;
}
