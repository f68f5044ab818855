import { findOpenInvitation } from "../invitations/store/answers.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import { findUser, findUserByEmail } from "../users/store.ts";
import { findToken } from "./store.ts";
import { hashToken } from "../../../platform/lib/token.ts";

/** The tokens that are in mails. */
export const MAIL_PURPOSES = [
  "verify_email",
  "reset_password",
  "confirm_email",
  "undo_email",
  "undo_factor",
  "invitation",
] as const;
type MailPurpose = (typeof MAIL_PURPOSES)[number];

/**
 * Whether the token of a mail can still be used. Does not use it. A page asks before it shows a form that the token would be
 * sent with.
 */
export async function checkToken(
  { db, now }: VisitorContext,
  { token, purpose }: { token: string; purpose: MailPurpose },
): Promise<boolean> {
  const hash = await hashToken(token);
  if (purpose === "invitation") return (await findOpenInvitation(db, hash, now)) !== null;
  const found = await findToken<{ email?: string }>(db, hash, purpose, now);
  if (found === null) return false;
  const { email } = found.payload;
  const owner = email === undefined ? null : await findUserByEmail(db, email);
  if (purpose === "verify_email") return owner === null;
  // Another user may have the address by now.
  return (owner === null || owner.id === found.subject) && (await findUser(db, found.subject)) !== null;
}
