import { toUnicodeName } from "../../domains/name.ts";
import { badRequest, conflict, notFound } from "../../platform/http/errors.ts";
import { isId } from "../../platform/lib/uuid.ts";
import { findUrls } from "../../links/store/links.ts";
import type { SessionContext } from "../../access/sessions/session.ts";
import { operatorActs } from "../../access/sessions/store/operators.ts";
import { noOperator, toEntry } from "../operators/operator-entry.ts";
import type { Scope } from "../store/settled-reports.ts";
import { createTakedown } from "../takedowns/takedowns.ts";
import type { DecideReport, Report } from "./contract.ts";
import * as store from "./store.ts";

/** Decides a report, and the open ones that it settles. A call that failed can be repeated. Throws a 409 for a decided report. */
export async function decideReport(context: SessionContext, id: string, input: DecideReport): Promise<Report> {
  const { db, session } = context;
  const row = isId(id) ? await store.findReport(db, id) : null;
  if (row === null) throw notFound("not_found", { resource: "abuse_report" });
  if (row.decided_at !== null) throw decidedAlready();
  const details = { reportId: id, reason: row.reason };
  const isAllowed = operatorActs(session.id, session.user.id);
  let scope: Scope = "link";
  if (input.action === "take_down") {
    const { action: _, kind, ...how } = input;
    // First, and without a decision of reports, so that a report whose link is not taken down stays open.
    await createTakedown(context, { kind, value: valueOf(row, kind), ...how }, false);
    scope = kind;
  }
  const [action, decision] =
    input.action === "dismiss"
      ? (["report.dismiss", "dismissed"] as const)
      : (["report.take_down", "taken_down"] as const);
  const entry = toEntry(context, action, row.short_url, {
    ...details,
    ...(action === "report.take_down" && { scope }),
  });
  const isDecided = await store.decideReports(db, row, scope, decision, entry, isAllowed);
  const decided = await store.findReport(db, id);
  if (decided === null || decided.decided_at === null) throw noOperator();
  if (!isDecided) throw decidedAlready();
  const [report] = await toReports(db, [decided]);
  return report as Report;
}

/** Dismisses those of these reports that are open. Returns the number of their links. */
export async function dismissReports(context: SessionContext, ids: readonly string[]): Promise<number> {
  const { db, session } = context;
  const chosen = ids.filter(isId);
  const rows = await store.findOpenReports(db, chosen);
  const links = [...new Map(rows.map((row) => [row.link_id, row])).values()];
  const dismissals = links.map((row) => ({
    linkId: row.link_id,
    entry: toEntry(context, "report.dismiss", row.short_url, { reportId: row.id, reason: row.reason }),
  }));
  return store.dismissReports(db, chosen, dismissals, operatorActs(session.id, session.user.id));
}

/** What is taken down for a report. */
function valueOf({ link_id: linkId, account_uuid: account, domain }: store.ReportRow, kind: Scope): string {
  if (kind === "link") return linkId;
  const value = kind === "account" ? account : domain;
  if (value === null || value === "") throw badRequest("nothing_to_take_down", { value: kind });
  return value;
}

/** With the destinations that the links have now. */
export async function toReports(db: D1Database, rows: readonly store.ReportRow[]): Promise<Report[]> {
  const ids = [...new Set(rows.map((row) => row.link_id))].filter(isId);
  const urls = await findUrls(db, ids);
  return rows.map((row) => toReport(row, urls.get(row.link_id) ?? null));
}

function toReport(row: store.ReportRow, destination: string | null): Report {
  return {
    id: row.id,
    linkId: row.link_id,
    shortUrl: row.short_url,
    destination,
    accountId: row.account_uuid,
    accountName: row.account_name,
    domain: row.domain === "" ? null : toUnicodeName(row.domain),
    openReports: row.open_reports,
    reason: row.reason,
    details: row.details,
    reporter: { name: row.name, email: row.email },
    createdAt: row.created_at,
    decision: row.decision,
    decidedAt: row.decided_at,
  };
}

const decidedAlready = () => conflict("decided_already", { resource: "abuse_report" });
