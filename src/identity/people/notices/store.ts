import type { MailKind } from "../../../platform/mail/messages.ts";
import { MAX_SHOWN_NOTICES } from "../limits.ts";

export interface StoredNotice {
  id: string;
  kind: MailKind;
  createdAt: number;
}

/** The newest mails of these kinds to the person's address since the person signed up and last dismissed notices. */
export async function listNotices(db: D1Database, userId: string, kinds: readonly MailKind[]): Promise<StoredNotice[]> {
  const { results } = await db
    .prepare(
      `SELECT m.id, m.kind, m.created_at AS createdAt FROM users u JOIN mails m ON m.recipient_key = u.email_key
       WHERE u.id = ?1 AND m.kind IN (SELECT value FROM json_each(?3))
         AND m.created_at > max(u.created_at - 1, coalesce(u.notices_read_at, 0))
       ORDER BY m.id DESC LIMIT ?2`,
    )
    .bind(userId, MAX_SHOWN_NOTICES, JSON.stringify(kinds))
    .all<StoredNotice>();
  return results;
}

/** Dismisses the notices that came up to this time, and none that come later. */
export async function dismissNotices(db: D1Database, userId: string, until: number, now: number): Promise<void> {
  await db
    .prepare("UPDATE users SET notices_read_at = max(coalesce(notices_read_at, 0), min(?2, ?3)) WHERE id = ?1")
    .bind(userId, until, now)
    .run();
}
