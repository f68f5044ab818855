import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { ALWAYS } from "../../../platform/database/parameters.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import { endAccess } from "../access/store.ts";
import type { ChangePassword } from "../contract.ts";
import { renewCookies, renewDevice, type BrowserCookies } from "../browser-cookies.ts";
import { endGrantsOfPerson } from "../../../access/grants/store.ts";
import { releaseGuess } from "../guesses/store.ts";
import { deliverMails, prepareMail, requireMail, toUnsent } from "../../../platform/mail/send.ts";
import { addMail, mailStored } from "../../../platform/mail/store.ts";
import { requireGoodPassword } from "../password-strength/require-good-password.ts";
import { hashPassword } from "../password-hashing/hasher-stub.ts";
import type { SessionContext, VisitorContext } from "../../../access/sessions/session.ts";
import { endSessions } from "../../../access/sessions/store/sessions.ts";
import { addCredentialChange } from "../credential-change.ts";
import { logProof } from "../sign-in/log-proof.ts";
import { checkOwnPassword, wrongPassword } from "../sign-in/sign-in.ts";
import { addToken, claimed, claimToken, findToken, voidTokens, type Purpose } from "../tokens/store.ts";
import { deadToken } from "../tokens/dead-token.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import { findUser, findUserByEmail, hasPassword, listAccountNames, setPassword } from "../users/store.ts";
import { mayMakeLink, type ResetPayload } from "./store.ts";
import { RESET_PASSWORD_TTL_MS } from "../limits.ts";

/**
 * Sends a link to set a new password, if the address has a user. The work is the same without one, down to the rows that are
 * written, so that neither answer nor time tells. A token of no user works for nobody.
 */
export async function forgotPassword(context: VisitorContext, email: string): Promise<void> {
  const { db, now } = context;
  requireMail(context);
  const user = await findUserByEmail(db, email);
  const token = newToken();
  const mail = await prepareMail(context, "reset_password", user?.email ?? email, { token });
  const subject = user?.id ?? newId(now);
  const batch = new Batch(db);
  addMail(batch, user === null ? toUnsent(mail) : mail, now);
  voidTokens(batch, subject, ["reset_password"], mailStored(mail.id));
  addToken(batch, await resetToken(token, subject, now), now, mailStored(mail.id));
  await batch.commitWithRetry();
  deliverMails(context, mail.id);
}

/** A stored token that sets a new password. */
export async function resetToken(token: string, userId: string, now: number, payload: ResetPayload = {}) {
  const purpose: Purpose = "reset_password";
  return {
    hash: await hashToken(token),
    purpose,
    subject: userId,
    payload,
    expiresAt: now + RESET_PASSWORD_TTL_MS,
  };
}

/**
 * Sets a new password with the token of a mail or of a link that somebody handed over. Ends all sessions, and signs nobody in. Returns the device cookie of this browser:
 * nobody else's guesses keep it from signing in.
 */
export async function resetPassword(
  context: VisitorContext,
  { token, password }: { token: string; password: string },
): Promise<string> {
  const { db, now, requestId } = context;
  const claim = { hash: await hashToken(token), useId: requestId };
  const found = await findToken<ResetPayload>(db, claim.hash, "reset_password", now);
  const user = found === null ? null : await findUser(db, found.subject);
  if (found === null || user === null) throw deadToken();
  const { by } = found.payload;
  const passwordHash = await makeHash(context, user, password);

  const batch = new Batch(db);
  // The member may have got a higher role since the link was made, or its maker a lower one.
  const claimedRow = claimToken(batch, claim, now, by === undefined ? ALWAYS : mayMakeLink(by, user.id));
  setPassword(batch, user.id, passwordHash, claimed(claim));
  endSessions(batch, user.id, null, claimed(claim));
  endGrantsOfPerson(batch, user.id, claimed(claim));
  const device = await renewDevice(batch, context, user, claimed(claim));
  const mailId = await addCredentialChange(batch, context, user, "password.reset", claimed(claim));
  await batch.commitWithRetry();
  if (claimedRow.first === undefined) throw deadToken();
  deliverMails(context, mailId);
  return device;
}

/**
 * Sets a new password in a session. Ends the other sessions and, if wanted, what reads without a session. Returns the new
 * cookies of this browser.
 */
export async function changePassword(
  context: SessionContext,
  { currentPassword, password, endAccess: endsAccess = true }: ChangePassword,
): Promise<BrowserCookies> {
  const { db, session } = context;
  const check = checkOwnPassword(context, currentPassword);
  const { user, guess } = await logProof(context, "password", check, () => session.user.id);
  const passwordHash = await makeHash(context, user, password);
  const batch = new Batch(db);
  releaseGuess(batch, guess);
  setPassword(batch, user.id, passwordHash, hasPassword(user.id, user.passwordHash));
  const changed = hasPassword(user.id, passwordHash);
  // The identity stays as confirmed as it was: a password does not prove a second factor.
  const cookies = await renewCookies(batch, context, user.email, changed);
  endSessions(batch, user.id, session.id, changed);
  if (endsAccess) endAccess(batch, context, user.id, changed);
  const mailId = await addCredentialChange(batch, context, user, "password.change", changed);
  const stored = addCheck(batch, changed);
  await batch.commitWithRetry();
  // Another request has changed the password since it was compared.
  if (stored.first === undefined) throw wrongPassword();
  deliverMails(context, mailId);
  return cookies;
}

interface Person {
  id: string;
  email: string;
  name: string;
}

async function makeHash(context: VisitorContext, user: Person, password: string): Promise<string> {
  const accounts = await listAccountNames(context.db, user.id);
  await requireGoodPassword(context, password, { name: user.name, email: user.email, accounts });
  return hashPassword(context.env, password);
}
