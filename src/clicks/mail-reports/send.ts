import { readClickSums } from "../analytics/read-clicks.ts";
import { roleHas } from "../../platform/auth/roles.ts";
import type { ServiceContext } from "../../platform/context.ts";
import type { AppLanguage } from "../../platform/languages.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { findLink } from "../../links/store/links.ts";
import { canSendMail, deliverMails, prepareMail } from "../../platform/mail/send.ts";
import type { MailTexts } from "../../platform/mail/texts/en.ts";
import { MAIL_REPORT_GIVEN_UP_MS } from "./limits.ts";
import { nextMailReportAt, mailedPeriod } from "./schedule.ts";
import { stopUrl } from "./stop.ts";
import * as store from "./store.ts";
import { writeMailReport } from "./write.ts";

/** Sends the reports that are due. Returns their number. What fails is due again when its lease ends, for {@link MAIL_REPORT_GIVEN_UP_MS}. */
export async function sendMailReports(context: ServiceContext): Promise<number> {
  if (!canSendMail(context)) return 0;
  const due = await store.claimDueMailReports(context.db, context.now);
  for (const report of due) {
    try {
      await sendMailReport(context, report);
    } catch (error) {
      log("warn", "report_not_sent", { mailReportId: report.id, ...describeError(error) });
      await giveUpLate(context, report);
    }
  }
  return due.length;
}

/** Clicks of too many links cannot be read on any later day either. */
async function giveUpLate({ db, now }: ServiceContext, report: store.MailReportRow): Promise<void> {
  const { frequency, timezone, report_at: reportAt } = report;
  if (now < reportAt + MAIL_REPORT_GIVEN_UP_MS) return;
  await store.skipMailReport(db, report, nextMailReportAt(frequency, timezone, now));
}

async function sendMailReport(context: ServiceContext, report: store.MailReportRow): Promise<void> {
  const { env, now, baseUrl } = context;
  const { DB: db } = env;
  const { id, account_id: accountId, link_id: linkId, frequency, timezone, report_at: reportAt } = report;
  const recipient = await store.findRecipient(db, report);
  if (recipient === null || !roleHas(recipient.role, "clicks:read")) return store.endMailReport(db, id);
  const nextAt = nextMailReportAt(frequency, timezone, now);
  if (recipient.isStopped) return store.skipMailReport(db, report, nextAt);
  const subject = await nameSubject(db, report, baseUrl);
  if (subject === null) return store.endMailReport(db, id);
  const { account, email } = recipient;
  const period = mailedPeriod(frequency, timezone, reportAt);
  const clicks = await readClickSums({ env, db, now, baseUrl, principal: { accountId } }, linkId, {
    ...period,
    timezone,
    compare: "previous",
    ...(report.tag !== null && { tag: [report.tag] }),
  });
  const opening = (texts: MailTexts, language: AppLanguage) =>
    writeMailReport({ account, subject: subject(texts), timezone, clicks, language }, texts);
  const kind = frequency === "weekly" ? "weekly_report" : "monthly_report";
  const mail = await prepareMail(context, kind, email, { opening, stopUrl: await stopUrl(env, baseUrl, id) });
  await store.recordMailReport(db, report, mail, { nextAt, now });
  deliverMails(context, mail.id);
}

/** What the report is of; null: the link or the tag is gone. */
async function nameSubject(
  db: D1Database,
  { account_id: accountId, link_id: linkId, tag }: store.MailReportRow,
  baseUrl: string,
): Promise<((texts: MailTexts) => string) | null> {
  if (tag !== null) {
    const name = await store.findTagName(db, accountId, tag);
    return name === null ? null : ({ clicks }) => clicks.ofTag(name);
  }
  if (linkId === null) return ({ clicks }) => clicks.all;
  const link = await findLink(db, linkId);
  if (link === null || link.account_id !== accountId) return null;
  return () => `${link.domain === "" ? baseUrl : `https://${link.domain}`}/${link.slug}`;
}
