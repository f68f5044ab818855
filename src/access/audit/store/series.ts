import type { Batch } from "../../../platform/database/batch.ts";
import { Parameters, type Condition, type Value } from "../../../platform/database/parameters.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import type { AuditAction } from "../actions.ts";
import type { NewAuditEntry } from "./entries.ts";

// A series is the entries of one batch for rows that only the batch knows. Their ids have a common beginning.

const RANDOM_BYTES = 6;
const BEGINNING_CHARS = 36 - 2 * RANDOM_BYTES;

export type Actor = NewAuditEntry["actor"];

/** The common beginning of the ids of a new series. */
export function newSeries(now: number): string {
  return newId(now).slice(0, BEGINNING_CHARS);
}

interface SeriesEntry extends Pick<NewAuditEntry, "actor" | "action" | "country"> {
  series: string;
  action: AuditAction;
}

/**
 * Adds an entry for each row of the table that meets the condition, to the log of the account of the row. The table has the
 * columns `id` and `account_id`; `label` is SQL for the name of a row. Call it before the change that ends these rows: a batch that runs again then finds none, and adds no entry twice.
 */
export function addAuditEntriesOf(
  batch: Batch,
  { series, actor, action, country }: SeriesEntry,
  now: number,
  { table, label, condition }: { table: string; label: string; condition: Condition },
): void {
  const parameters = new Parameters([series, actor.type, actor.id, action, country, now]);
  batch.add(
    `INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, target_id, country, created_at, target_name)
     SELECT ?1 || lower(hex(randomblob(${RANDOM_BYTES}))), account_id, ?2, ?3, ?4, id, ?5, ?6, ${label}
     FROM ${table} WHERE ${condition(parameters)}`,
    parameters.values,
  );
}

/** Adds an entry of the person about themselves to each account that they are a member of, if the condition holds. */
export function addAuditEntriesOfMember(
  batch: Batch,
  { series, userId, action, country }: Pick<SeriesEntry, "series" | "action" | "country"> & { userId: string },
  now: number,
  condition: Condition,
): void {
  const parameters = new Parameters([series, userId, action, country, now]);
  batch.add(
    `INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, target_id, country, created_at)
     SELECT ?1 || lower(hex(randomblob(${RANDOM_BYTES}))), account_id, 'user', ?2, ?3, ?2, ?4, ?5
     FROM memberships WHERE user_id = ?2 AND ${condition(parameters)}`,
    parameters.values,
  );
}

/** SQL for the entries of a series, from `FROM` on, and its values. */
export function entriesOf(series: string, accountId: number): { sql: string; values: Value[] } {
  const ends = ["0", "f"].map((digit) => series + digit.repeat(2 * RANDOM_BYTES));
  return {
    sql: "FROM audit_entries WHERE account_id = ?1 AND id BETWEEN ?2 AND ?3",
    values: [accountId, ...ends],
  };
}
