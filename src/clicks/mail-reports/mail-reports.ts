import { conflict, invalidField, limitReached, notFound } from "../../platform/http/errors.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import { getLinkRow } from "../../links/get-link.ts";
import { requireMail } from "../../platform/mail/send.ts";
import type { MemberContext } from "../../access/sessions/session.ts";
import type { CreateMailReport, MailReport, UpdateMailReport } from "./contract.ts";
import { MAX_OWN_MAIL_REPORTS, MAX_MAIL_REPORTS_PER_ACCOUNT } from "./limits.ts";
import { nextMailReportAt } from "./schedule.ts";
import * as store from "./store.ts";

/** The reports that the person of the session gets of the account. */

export async function createMailReport(context: MemberContext, given: CreateMailReport): Promise<MailReport> {
  requireMail(context);
  const { db, now, principal } = context;
  const { frequency, timezone, linkId } = given;
  const link = linkId === undefined ? null : await getLinkRow(context, linkId);
  const tag = given.tag === undefined ? null : await store.findTagName(db, principal.accountId, given.tag);
  if (given.tag !== undefined && tag === null) throw invalidField("tag", "unknown", { resource: "tag" });
  const nextAt = nextMailReportAt(frequency, timezone, now);
  const report = { id: newId(now), frequency, timezone, linkId: link?.id ?? null, tag, nextAt, createdAt: now };
  const outcome = await store.insertMailReport(db, subscriberOf(context), report);
  if (outcome === "taken") throw reportTaken();
  if (outcome === "too_many_own")
    throw limitReached("limit_reached", { resource: "report", max: MAX_OWN_MAIL_REPORTS });
  if (outcome === "too_many")
    throw limitReached("limit_reached", { resource: "report", max: MAX_MAIL_REPORTS_PER_ACCOUNT });
  return report;
}

export async function listMailReports(context: MemberContext): Promise<MailReport[]> {
  return (await store.listMailReports(context.db, subscriberOf(context))).map(store.toMailReport);
}

export async function updateMailReport(
  context: MemberContext,
  id: string,
  changes: UpdateMailReport,
): Promise<MailReport> {
  const { db, now } = context;
  const present = (await listMailReports(context)).find((report) => report.id === id);
  if (present === undefined) throw reportNotFound();
  const { frequency = present.frequency, timezone = present.timezone } = changes;
  const nextAt = nextMailReportAt(frequency, timezone, now);
  const row = await store.updateMailReport(db, subscriberOf(context), { id, frequency, timezone, nextAt });
  if (row === null) throw reportNotFound();
  if (row.frequency !== frequency) throw reportTaken();
  return store.toMailReport(row);
}

export async function deleteMailReport(context: MemberContext, id: string): Promise<void> {
  if (!isId(id) || !(await store.deleteMailReport(context.db, subscriberOf(context), id))) throw reportNotFound();
}

function subscriberOf({ principal }: MemberContext): store.Subscriber {
  return { accountId: principal.accountId, userId: principal.user.id };
}

const reportNotFound = () => notFound("not_found", { resource: "report" });
const reportTaken = () => conflict("exists", { resource: "report" });
