import { isDeletedAccount } from "../database/account-states.ts";
import { MAX_IN_FLIGHT_PER_HOST, MAX_TIMESTAMP_MS } from "../../limits.ts";

/**
 * Who may send now. A webhook has at most `in_flight_limit` connections, and all webhooks of an account at one host together have at
 * most {@link MAX_IN_FLIGHT_PER_HOST}. A connection is used by each delivery that is being sent (`sending`) and by each click
 * that is being sent (`waiting_clicks`), until the lease ends.
 */

/** SQL for the webhooks `w` of the account at the host of the webhook `m`. */
export const AT_HOST = "webhooks m CROSS JOIN webhooks w ON w.account_id = m.account_id AND w.host = m.host";

// Without the index hint, SQLite may read every delivery of the webhook.
export const DUE_DELIVERIES = "deliveries INDEXED BY deliveries_due";
export const SENT_DELIVERIES = "deliveries INDEXED BY deliveries_by_status";

/**
 * SQL for the time before which the webhook `w` is not sent to: while the circuit breaker is open, and as long as its account is
 * deleted.
 */
export const RESUME_AT = `iif(${isDeletedAccount("w.account_id")}, ${MAX_TIMESTAMP_MS}, w.resume_at)`;

/** SQL for whether the webhook `w` is sent to at the time `now`, which is SQL. */
export const maySend = (now: string) => `w.status = 'active' AND coalesce(${RESUME_AT}, 0) <= ${now}`;

/** SQL for whether the webhook `w` has clicks or a delivery that nobody sends, though it is time. */
export const waits = (now: string) => `(
  EXISTS (SELECT 1 FROM waiting_clicks WHERE webhook_id = w.id AND expires_at <= ${now})
  OR EXISTS (SELECT 1 FROM ${DUE_DELIVERIES} WHERE webhook_id = w.id AND status = 'pending' AND due_at <= ${now}))`;

/**
 * SELECT of the webhooks `w` of the account at the host of `m`: `id`, `in_flight_limit`, whether each `may_send` at the time `now`, whether
 * it `waits`, and how many connections are `in_use`. `m` is a table or a subquery of webhooks; `now` is SQL.
 */
export const webhooksAtHost = (m: string, now: string) => `
  SELECT w.id, w.in_flight_limit, ${maySend(now)} AS may_send, ${waits(now)} AS waits,
    (SELECT coalesce(sum(connections), 0) FROM waiting_clicks WHERE webhook_id = w.id AND expires_at > ${now})
    + (SELECT count(*) FROM ${SENT_DELIVERIES}
      WHERE status = 'sending' AND webhook_id = w.id AND sending_until > ${now}) AS in_use
  FROM ${m} m CROSS JOIN webhooks w ON w.account_id = m.account_id AND w.host = m.host`;

/** CTEs. The last one, `host`, has a row for each of {@link webhooksAtHost}: its `id`, `may_send`, `waits`, and its `free` connections. */
export const hostOf = (m: string, now: string) => `
  at_host AS MATERIALIZED (${webhooksAtHost(m, now)}),
  host AS MATERIALIZED (
    SELECT id, may_send, may_send AND waits AS waits,
      min(in_flight_limit - in_use, ${MAX_IN_FLIGHT_PER_HOST} - (SELECT sum(in_use) FROM at_host)) AS free
    FROM at_host)`;
