import { Batch } from "../../database/batch.ts";
import { BEING_MOVED } from "../../database/errors.ts";
import { NEW_LINK_SETTLE_MS } from "../../destinations/limits.ts";
import { firstSequenceAt } from "../../links/store/sequence.ts";
import type { Run, Watch } from "./rows.ts";
import { COPIED_TABLES, SMALL_TABLES, type MovedTable } from "./tables.ts";

/**
 * The triggers of a database that an account leaves. They exist only meanwhile, so that no other write pays for them. They refuse all
 * writes for the account while these are stopped, and all but deletions once it has moved. Before, they note the changes of rows that
 * are copied already.
 */

const OPERATIONS = ["INSERT", "UPDATE", "DELETE"];

interface Watched {
  name: string;
  /** SQL for the account of the row. */
  account: (row: string) => string;
  /** The table whose rows are copied again, and SQL for the key there; null: the table is copied while writes are stopped. */
  change: { name: string; key: (row: string) => string } | null;
  operations?: readonly string[];
}

const keyOf = (columns: readonly string[]) => (row: string) =>
  `json_array(${columns.map((column) => `${row}.${column}`).join(", ")})`;

const watchTable = ({ name, account, key }: MovedTable, isCopied: boolean): Watched => ({
  name,
  account,
  change: isCopied ? { name, key: keyOf(key) } : null,
});

const ofEvent = (column: string) => (row: string) =>
  `(SELECT ${column} FROM deliveries d CROSS JOIN webhooks w ON w.id = d.webhook_id WHERE d.event_id = ${row}.event_id LIMIT 1)`;

const WATCHED: readonly Watched[] = [
  ...COPIED_TABLES.map((table) => watchTable(table, true)),
  // The triggers of links and deliveries write these.
  ...SMALL_TABLES.filter(({ name }) => !["aliases", "delivery_totals"].includes(name)).map((table) =>
    watchTable(table, false),
  ),
  {
    name: "account_usage",
    account: (row) => `${row}.account_id`,
    change: null,
    operations: ["UPDATE OF links, link_bytes, recent_links"],
  },
  {
    name: "destinations",
    account: (row) => `${row}.account_id`,
    change: { name: "links", key: keyOf(["link_seq"]) },
    operations: ["INSERT", "UPDATE"],
  },
  // An event is stored before its deliveries.
  {
    name: "event_bodies",
    account: ofEvent("w.account_id"),
    change: { name: "deliveries", key: (row) => `json_array(${row}.event_id, ${ofEvent("d.webhook_id")(row)})` },
    operations: ["UPDATE"],
  },
];

const nameOf = (table: string, operation: string) => `departing_${table}_${operation.slice(0, 6).toLowerCase()}`;

function triggerOf({ name, account, change }: Watched, operation: string): string {
  const row = operation === "DELETE" ? "OLD" : "NEW";
  const isStopped = operation === "DELETE" ? "stopped_by IS NOT NULL AND moved_to IS NULL" : "stopped_by IS NOT NULL";
  const note =
    change === null
      ? ""
      : `INSERT INTO departing_changes (account_id, name, key)
           SELECT account_id, '${change.name}', ${change.key(row)} FROM departing_accounts
           WHERE account_id = ${account(row)} AND moved_to IS NULL;`;
  return `CREATE TRIGGER IF NOT EXISTS ${nameOf(name, operation)} AFTER ${operation} ON ${name}
    WHEN EXISTS (SELECT 1 FROM departing_accounts WHERE account_id = ${account(row)}) BEGIN
      SELECT RAISE(ABORT, '${BEING_MOVED}') FROM departing_accounts WHERE account_id = ${account(row)} AND ${isStopped};
      ${note}
    END`;
}

/**
 * Creates the triggers, those of the table `without` excepted, and begins to note the changes for the account. May be repeated. The
 * id of the watch that is returned is another one if changes have been missed since.
 */
export async function watchAccount(
  source: D1Database,
  accountId: number,
  without: string | null,
  now: number,
): Promise<Watch> {
  const batch = new Batch(source);
  for (const watched of WATCHED)
    if (watched.name !== without)
      for (const operation of watched.operations ?? OPERATIONS) batch.add(triggerOf(watched, operation));
  const begun = batch.add<Watch>(
    // Up to the next link that the destination watch takes in: the cursor may be days behind it.
    `INSERT INTO departing_accounts (account_id, watch, watched_to)
     SELECT ?1, ?2, max(c.seq, min(u.seq, coalesce((SELECT min(l.seq) FROM links l WHERE l.seq > c.seq), u.seq)) - 1)
     FROM (SELECT coalesce((SELECT seq FROM destination_cursor), 0) AS seq) c, (SELECT CAST(?3 AS INTEGER) AS seq) u WHERE true
     ON CONFLICT (account_id) DO UPDATE SET watch = watch RETURNING watch, CAST(watched_to AS TEXT) AS watchedTo`,
    [accountId, crypto.randomUUID(), firstSequenceAt(now - NEW_LINK_SETTLE_MS)],
  );
  await batch.commitWithRetry();
  return begun.first as Watch;
}

/**
 * Forgets the account and drops the triggers. Accounts are moved one after the other; if a late run drops the triggers of the next one,
 * that one is forgotten in the same transaction, so that it is watched and copied anew.
 */
export async function unwatchAccount(source: D1Database, accountId: number): Promise<void> {
  const batch = new Batch(source);
  // Links were passed over while the writes were stopped.
  batch.add(
    `UPDATE destination_cursor SET seq = passed
     FROM (SELECT min(watched_to) AS passed FROM departing_accounts WHERE moved_to IS NULL) WHERE passed < seq`,
  );
  batch.add("DELETE FROM departing_accounts WHERE account_id = ?1 OR moved_to IS NULL", [accountId]);
  batch.add("DELETE FROM departing_changes");
  for (const { name, operations } of WATCHED)
    for (const operation of operations ?? OPERATIONS) batch.add(`DROP TRIGGER IF EXISTS ${nameOf(name, operation)}`);
  await batch.commitWithRetry();
}

/** Refuses all writes for the account from now on. `run` is who stops them. Throws if changes have been missed. */
export async function stopWrites(source: D1Database, { accountId, id, watch }: Run): Promise<void> {
  const batch = new Batch(source);
  const stopped = batch.add(
    "UPDATE departing_accounts SET stopped_by = ?2 WHERE account_id = ?1 AND watch = ?3 RETURNING 1 AS stopped",
    [accountId, id, watch],
  );
  await batch.commitWithRetry();
  if (stopped.first === undefined) throw new Error("the account is not watched any more");
}

/** Accepts the writes again that the run has stopped, or a run before it that has ended; null: any run. */
export async function resumeWrites(source: D1Database, accountId: number, run: string | null): Promise<void> {
  await source
    .prepare(
      "UPDATE departing_accounts SET stopped_by = NULL WHERE account_id = ?1 AND stopped_by = coalesce(?2, stopped_by) AND moved_to IS NULL",
    )
    .bind(accountId, run)
    .run();
}
