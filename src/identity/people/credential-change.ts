import { addPersonEntry } from "../../access/audit/person-entry.ts";
import type { AuditAction } from "../../access/audit/actions.ts";
import type { Batch } from "../../platform/database/batch.ts";
import type { Condition } from "../../platform/database/parameters.ts";
import type { VisitorContext } from "../../access/sessions/session.ts";
import type { MailKind } from "../../platform/mail/messages.ts";
import { addNotice } from "../../platform/mail/send.ts";
import { voidTokens, type Purpose } from "./tokens/store.ts";

/** Tokens that a change of the password or the address ends. The one that keeps an old address goes on. */
export const VOIDED_PURPOSES: readonly Purpose[] = ["reset_password", "confirm_email", "sign_in_link", "second_step"];

const NOTICES = {
  "email.change": "email_changed",
  "password.change": "password_changed",
  "password.reset": "password_changed",
} satisfies Partial<Record<AuditAction, MailKind>>;

/**
 * Adds to the batch of a change of the address or the password what follows from it, if the condition holds: the person's
 * tokens end, the audit log gets an entry, and a mail to `email` tells the person. Returns the mail's id.
 */
export async function addCredentialChange(
  batch: Batch,
  context: VisitorContext,
  { id, email }: { id: string; email: string },
  action: keyof typeof NOTICES,
  condition: Condition,
): Promise<string> {
  voidTokens(batch, id, VOIDED_PURPOSES, condition);
  addPersonEntry(batch, context, id, { action, targetId: id }, condition);
  return addNotice(batch, context, NOTICES[action], email, condition);
}
