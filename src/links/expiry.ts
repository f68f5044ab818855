import { originWithoutRequest } from "../lib/hosts.ts";
import { newId } from "../lib/uuid.ts";
import { CRON_BATCH_ROWS } from "../limits.ts";
import { outboxStatements, wokenBy } from "../webhooks/outbox.ts";
import { sendWakeUps } from "../webhooks/messages.ts";
import { commonParameters, selectEvent } from "./events.ts";

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
export async function expireDueLinks(env: Env, now: number): Promise<number> {
  const { statements, read } = expiry(env.DB, null, now, originWithoutRequest(env.BASE_URL));
  const { moved, webhookIds } = read(await env.DB.batch(statements));
  await sendWakeUps(env.DELIVERIES, webhookIds);
  return moved;
}

/** The same for the links of one account. */
export function expireDueOfAccount(db: D1Database, accountId: number, now: number, baseUrl: string): Expiry {
  return expiry(db, accountId, now, baseUrl);
}

function expiry(db: D1Database, accountId: number | null, now: number, baseUrl: string): Expiry {
  const parameters = [...commonParameters({ now, baseUrl }), CRON_BATCH_ROWS];
  if (accountId !== null) parameters.push(accountId);
  const due = accountId === null ? dueLinks("links_due") : dueLinks("links_due_by_account", "account_id = ?5 AND");
  // The last 12 bits of the ids count the events of this batch.
  const ids = newId(now).slice(0, -3);
  const numbered = `(SELECT *, row_number() OVER () AS n FROM links WHERE seq IN (${due})) l`;
  const source = {
    select: selectEvent("link.expired", `'${ids}' || printf('%03x', l.n)`, numbered),
    parameters,
  };
  return {
    statements: [
      ...outboxStatements(db, source, { first: `${ids}000`, last: `${ids}fff` }),
      db
        .prepare(
          `UPDATE links SET status = 'expired' WHERE seq IN (${due}) AND ?2 = ?2 AND ?3 = ?3 RETURNING 1 AS moved`,
        )
        .bind(...parameters),
    ],
    // Rows of the last: the database's own count takes in what the triggers write.
    read: ([, , owed, moved]) => ({ moved: moved?.results.length ?? 0, webhookIds: wokenBy(owed) }),
  };
}

/** The links to move, each kind by its own index. */
function dueLinks(index: string, account = ""): string {
  return `SELECT seq FROM (
      SELECT seq FROM links INDEXED BY ${index} WHERE ${account} status = 'active' AND expires_at IS NOT NULL AND expires_at <= ?1
      ORDER BY expires_at LIMIT ?4)
    UNION SELECT seq FROM (
      SELECT seq FROM links INDEXED BY links_used_up WHERE ${account} status = 'active' AND max_clicks IS NOT NULL AND visits >= max_clicks
      LIMIT ?4)`;
}
