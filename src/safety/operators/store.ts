import { Batch } from "../../platform/database/batch.ts";
import { ALWAYS, type Condition } from "../../platform/database/parameters.ts";
import { boundsOf, type Page } from "../../platform/http/pagination.ts";
import type { OperatorEntry } from "../takedowns/contract.ts";

/** An entry of the record of operators. Its id makes a repeated batch add it once. */
export interface NewEntry {
  id: string;
  /** null: nobody, as the service did it itself. */
  operatorId: string | null;
  action: OperatorEntry["action"];
  subject: string;
  details: OperatorEntry["details"];
  country: string | null;
  now: number;
}

/** Adds the entry to the batch of what it records, if the condition holds. */
export function addEntry(batch: Batch, entry: NewEntry, condition: Condition): void {
  const { id, operatorId, action, subject, country, now } = entry;
  const details = entry.details === null ? null : JSON.stringify(entry.details);
  batch.sql`INSERT INTO operator_entries (id, operator_id, action, subject, details, country, created_at)
    SELECT ${id}, ${operatorId}, ${action}, ${subject}, ${details}, ${country}, ${now} WHERE ${condition}
    ON CONFLICT (id) DO NOTHING`;
}

/** Adds entries of what was done already. */
export async function recordEntries(db: D1Database, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const batch = new Batch(db);
  for (const entry of entries) addEntry(batch, entry, ALWAYS);
  await batch.commitWithRetry();
}

interface EntryRow {
  id: string;
  operator_id: string | null;
  operator_name: string | null;
  action: OperatorEntry["action"];
  subject: string;
  details: string | null;
  country: string | null;
  created_at: number;
}

/** The entries, newest first; one more than the page holds. */
export async function listEntries(db: D1Database, page: Page): Promise<OperatorEntry[]> {
  const { results } = await db
    .prepare(
      `SELECT e.id, e.operator_id, u.name AS operator_name, e.action, e.details, e.country, e.created_at,
         iif(e.action GLOB 'operator.*' OR e.action = 'person.sign_in_link', coalesce((SELECT email FROM users WHERE id = e.subject), e.subject), e.subject) AS subject
       FROM operator_entries e LEFT JOIN users u ON u.id = e.operator_id
       WHERE e.id < ?1 ORDER BY e.id DESC LIMIT ?2 OFFSET ?3`,
    )
    .bind(...boundsOf(page))
    .all<EntryRow>();
  return results.map(toOperatorEntry);
}

function toOperatorEntry(row: EntryRow): OperatorEntry {
  const { id, operator_id: operatorId, operator_name: name, action, subject, details, country } = row;
  return {
    id,
    operator: operatorId === null ? null : { id: operatorId, name },
    action,
    subject,
    details: details === null ? null : (JSON.parse(details) as OperatorEntry["details"]),
    country,
    createdAt: row.created_at,
  };
}
