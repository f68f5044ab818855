import { addConfirmation } from "../../../platform/auth/require-confirmed.ts";
import { Batch, addCheck } from "../../../platform/database/batch.ts";
import type { Condition } from "../../../platform/database/parameters.ts";
import { forbidden, invalidField } from "../../../platform/http/errors.ts";
import { renewCookies, type BrowserCookies } from "../browser-cookies.ts";
import { emailKey } from "../../../platform/mail/email-address.ts";
import { deliverMails, prepareMail, requireMail } from "../../../platform/mail/send.ts";
import { countVerificationMail } from "../verification-limit.ts";
import { hasAllowedDomain } from "../sign-up/may-sign-up.ts";
import { addMail, mailStored } from "../../../platform/mail/store.ts";
import { addCredentialChange } from "../credential-change.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { addToken, claimed, claimToken, findToken, voidTokens } from "../tokens/store.ts";
import { deadToken } from "../tokens/dead-token.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import { findUserByEmail, hasEmail, setEmail } from "../users/store.ts";
import { addUndo } from "../undo/store.ts";
import { CONFIRM_EMAIL_TTL_MS, UNDO_TTL_MS } from "../limits.ts";

/** The payload of the token that changes an address. */
interface NewAddress {
  email: string;
}

/**
 * Sends a link to the new address, and a notice to the present one with which it can be kept for 7 days. An address that
 * another user has gets a notice instead of a link; the answer is the same.
 */
export async function requestEmailChange(context: SessionContext, email: string): Promise<void> {
  const { env, db, now, session } = context;
  const { user } = session;
  requireMail(context);
  const batch = new Batch(db);
  const confirmation = addConfirmation(batch, session, now);
  if (emailKey(email) === emailKey(user.email)) throw invalidField("email", "same_email");
  // Whether the address has an invitation does not count: a stranger must not learn it.
  if (!hasAllowedDomain(env, email)) throw invalidField("email", "refused_email");
  await countVerificationMail(context);
  const [confirmToken, undo] = [newToken(), newToken()];
  const other = await findUserByEmail(db, email);
  const kind = other === null ? "confirm_email" : "email_in_use";
  const [mail, notice] = await Promise.all([
    prepareMail(context, kind, other?.email ?? email, { token: confirmToken }),
    prepareMail(context, "email_change_requested", user.email, { token: undo }),
  ]);
  const [hash, undoHash] = await Promise.all([hashToken(confirmToken), hashToken(undo)]);
  const subject = user.id;
  const isOffered: Condition = (parameters) =>
    `${mailStored(mail.id)(parameters)} AND ${other === null ? "true" : "false"}`;

  // The notice comes first: no address changes without it.
  addMail(batch, notice, now, confirmation.holds);
  addMail(batch, mail, now, mailStored(notice.id));
  voidTokens(batch, subject, ["confirm_email"], isOffered);
  const token = { hash, purpose: "confirm_email", subject, payload: { email } } as const;
  addToken(batch, { ...token, expiresAt: now + CONFIRM_EMAIL_TTL_MS }, now, isOffered);
  const former = { hash: undoHash, purpose: "undo_email", userId: subject, email: user.email } as const;
  addUndo(batch, { ...former, expiresAt: now + UNDO_TTL_MS }, "all", now, mailStored(notice.id));
  await batch.commitWithRetry();
  confirmation.require();
  deliverMails(context, notice.id, mail.id);
}

/**
 * Changes the address with the token of the mail to it. Only the person who asked may use the token: otherwise a stranger
 * could make somebody confirm an address for the stranger's account. Returns the new cookies of the browser.
 */
export async function confirmEmailChange(context: SessionContext, token: string): Promise<BrowserCookies> {
  const { db, now, session, requestId } = context;
  const claim = { hash: await hashToken(token), useId: requestId };
  const found = await findToken<NewAddress>(db, claim.hash, "confirm_email", now);
  if (found === null) throw deadToken();
  const { user } = session;
  if (found.subject !== user.id) throw forbidden("other_person");
  const { email } = found.payload;

  const batch = new Batch(db);
  const claimedRow = claimToken(batch, claim, now);
  setEmail(batch, user.id, email, claimed(claim));
  const changed = hasEmail(user.id, email);
  const cookies = await renewCookies(batch, context, email, changed);
  const mailId = await addCredentialChange(batch, context, user, "email.change", changed);
  const stored = addCheck(batch, changed);
  await batch.commitWithRetry();
  // Another user has verified the address since the mail was sent, or another request has used the token.
  if (claimedRow.first === undefined || stored.first === undefined) throw deadToken();
  deliverMails(context, mailId);
  return cookies;
}
