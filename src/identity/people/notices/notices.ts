import type { SessionContext } from "../../../access/sessions/session.ts";
import type { AppLanguage } from "../../../platform/languages.ts";
import { kindsOfNotices, summarize } from "../../../platform/mail/messages.ts";
import { canSendMail } from "../../../platform/mail/send.ts";
import type { Notice } from "./contract.ts";
import { listNotices, type StoredNotice } from "./store.ts";

/**
 * What a person would be told by mail, and has not dismissed yet: newest first. None where mails are sent. The mails are stored
 * there too, without their content, so whatever tells persons something needs to know nothing of this.
 */
export async function readNotices(context: SessionContext): Promise<Notice[]> {
  const { db, session, readLanguage } = context;
  if (canSendMail(context)) return [];
  const language = session.user.language ?? readLanguage?.() ?? "en";
  const stored = await listNotices(db, session.user.id, await kindsOfNotices());
  return Promise.all(stored.map((notice) => toNotice(notice, language)));
}

async function toNotice({ id, kind, createdAt }: StoredNotice, language: AppLanguage): Promise<Notice> {
  const { title, text } = await summarize(kind, language);
  return { id, title, text, createdAt };
}
