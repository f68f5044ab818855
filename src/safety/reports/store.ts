import { Batch } from "../../platform/database/batch.ts";
import { allOf, holds, type Condition } from "../../platform/database/parameters.ts";
import type { Page } from "../../platform/http/pagination.ts";
import { addEntry, type NewEntry } from "../operators/store.ts";
import { listByDecision } from "../store/decided-list.ts";
import { isReportOf, settleReports, type Scope } from "../store/settled-reports.ts";
import type { Report } from "./contract.ts";

/** A report as it is stored, with what is known of its link now. */
export interface ReportRow {
  id: string;
  link_id: string;
  account_id: number | null;
  domain: string;
  short_url: string;
  reason: Report["reason"];
  details: string | null;
  name: string | null;
  email: string | null;
  created_at: number;
  decision: Report["decision"];
  decided_at: number | null;
  account_uuid: string | null;
  account_name: string | null;
  open_reports: number;
}

const SELECTED = `SELECT r.*, a.uuid AS account_uuid, a.name AS account_name,
    (SELECT count(*) FROM reports o WHERE o.link_id = r.link_id AND o.decided_at IS NULL) AS open_reports
  FROM reports r LEFT JOIN accounts a ON a.id = r.account_id`;

export async function findReport(db: D1Database, id: string): Promise<ReportRow | null> {
  return db.prepare(`${SELECTED} WHERE r.id = ?1`).bind(id).first<ReportRow>();
}

/** Those of these reports that are open. */
export async function findOpenReports(
  db: D1Database,
  ids: readonly string[],
): Promise<Pick<ReportRow, "id" | "link_id" | "short_url" | "reason">[]> {
  const { results } = await db
    .prepare(
      `SELECT r.id, r.link_id, r.short_url, r.reason FROM json_each(?1) i JOIN reports r ON r.id = i.value
       WHERE r.decided_at IS NULL`,
    )
    .bind(JSON.stringify(ids))
    .all<ReportRow>();
  return results;
}

/** The open reports, oldest first, or the decided ones, newest first; one more than the page holds. */
export async function listReports(db: D1Database, isOpen: boolean, page: Page): Promise<ReportRow[]> {
  return listByDecision<ReportRow>(db, { selected: SELECTED, table: "r" }, isOpen, page);
}

/**
 * Decides the open reports with the same link, account or domain as this one, with an entry, if this one is open and the
 * condition holds. Returns whether this call did so.
 */
export async function decideReports(
  db: D1Database,
  { id, link_id: linkId, account_id: accountId, domain }: ReportRow,
  scope: Scope,
  decision: NonNullable<Report["decision"]>,
  entry: NewEntry,
  condition: Condition,
): Promise<boolean> {
  const isOpen = holds`EXISTS (SELECT 1 FROM reports WHERE id = ${id} AND decided_at IS NULL)`;
  const target = { link: linkId, account: String(accountId), domain }[scope];
  const isRecorded = holds`EXISTS (SELECT 1 FROM operator_entries WHERE id = ${entry.id})`;
  const batch = new Batch(db);
  addEntry(batch, entry, allOf(isOpen, condition));
  settleReports(batch, decision, entry.now, isReportOf(scope, target), isRecorded);
  const recorded = batch.sql`SELECT 1 WHERE ${isRecorded}`;
  await batch.commitWithRetry();
  return recorded.first !== undefined;
}

/** A link of which open reports are dismissed, with the entry of it. */
export interface Dismissal {
  linkId: string;
  entry: NewEntry;
}

/**
 * Dismisses those of the reports that are open, with an entry for each link, if the condition holds. Returns the number of links of
 * which this call did so.
 */
export async function dismissReports(
  db: D1Database,
  ids: readonly string[],
  dismissals: readonly Dismissal[],
  condition: Condition,
): Promise<number> {
  const [first] = dismissals;
  if (first === undefined) return 0;
  const isChosen = holds`id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const batch = new Batch(db);
  for (const { linkId, entry } of dismissals) {
    const hasOpen = holds`EXISTS (SELECT 1 FROM reports WHERE link_id = ${linkId} AND ${isChosen} AND decided_at IS NULL)`;
    addEntry(batch, entry, allOf(hasOpen, condition));
  }
  const links = JSON.stringify(dismissals.map(({ linkId, entry }) => ({ linkId, entryId: entry.id })));
  const isRecorded = holds`${isChosen} AND link_id IN (SELECT l.value ->> 'linkId' FROM json_each(${links}) l
    JOIN operator_entries e ON e.id = l.value ->> 'entryId')`;
  settleReports(batch, "dismissed", first.entry.now, isRecorded);
  const count = batch.sql<{ count: number }>`SELECT count(*) AS count FROM json_each(${links}) l
    JOIN operator_entries e ON e.id = l.value ->> 'entryId'`;
  await batch.commitWithRetry();
  return count.first?.count ?? 0;
}
