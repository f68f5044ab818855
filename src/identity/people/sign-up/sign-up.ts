import { addPersonEntry } from "../../../access/audit/person-entry.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { holds, type Condition } from "../../../platform/database/parameters.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import { emailKey } from "../../../platform/mail/email-address.ts";
import { deliverMails, prepareMail, requireMail, toUnsent } from "../../../platform/mail/send.ts";
import { addMail, mailStored } from "../../../platform/mail/store.ts";
import { countVerificationMail } from "../verification-limit.ts";
import { requireGoodPassword } from "../password-strength/require-good-password.ts";
import { hashPassword } from "../password-hashing/hasher-stub.ts";
import { checks } from "../../../links/checks.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import { startSession, type StartedSession } from "../../../access/sessions/start-session.ts";
import { addToken, claimed, claimToken, findToken, voidTokens } from "../tokens/store.ts";
import { deadToken } from "../tokens/dead-token.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import { addressIsFree, addUser, findUser, findUserByEmail, userExists, type StoredUser } from "../users/store.ts";
import { invalidField, unavailable } from "../../../platform/http/errors.ts";
import { readInstallation } from "../../../platform/installation/store.ts";
import { isVouchedFor, maySignUp } from "./may-sign-up.ts";
import { VERIFY_EMAIL_TTL_MS } from "../limits.ts";

export interface SignUp {
  email: string;
  password: string;
  name: string;
}

/** What waits for the verification of the address. The user exists only after it. */
interface PendingUser {
  email: string;
  name: string;
  passwordHash: string;
  /** Hash of the cookie of the browser that signed up. */
  browserHash: string;
}

/**
 * Sends a mail to the address: a link that verifies it, or a notice if it has a user. Returns the cookie of this browser.
 * The work is the same in all cases, so that neither answer nor time tells whether the address has a user.
 */
export async function signUp(context: VisitorContext, { email, password, name }: SignUp): Promise<string> {
  const { env, db, now } = context;
  requireMail(context);
  // Otherwise a stranger could become the first person, and nobody could claim the installation.
  if (!(await readInstallation(db)).isClaimed) throw unavailable("unclaimed");
  await requireGoodPassword(context, password, { name, email, accounts: [] });
  await countVerificationMail(context);
  const [token, browser] = [newToken(), newToken()];
  const [hash, browserHash] = await Promise.all([hashToken(token), hashToken(browser)]);
  const passwordHash = await hashPassword(env, password);
  const [user, allowed] = await Promise.all([findUserByEmail(db, email), maySignUp(context, email)]);

  const mail = await prepareMail(context, user === null ? "verify_email" : "account_exists", user?.email ?? email, {
    token,
  });
  const payload: PendingUser = { email, name, passwordHash, browserHash };
  const verification = { hash, purpose: "verify_email", subject: emailKey(email), payload } as const;
  const isNew: Condition = holds`${addressIsFree(email)} AND ${mailStored(mail.id)}`;
  const batch = new Batch(db);
  addMail(batch, allowed || user !== null ? mail : toUnsent(mail), now);
  voidTokens(batch, emailKey(email), ["verify_email"], isNew);
  addToken(batch, { ...verification, expiresAt: now + VERIFY_EMAIL_TTL_MS }, now, isNew);
  await batch.commitWithRetry();
  deliverMails(context, mail.id);
  return browser;
}

/** A person who has just signed in, with the browser's new cookie. */
export interface NewSignIn {
  session: StartedSession;
  user: StoredUser;
}

/**
 * Creates the user of a verified address, and signs in. In another browser than that of the sign-up, the person sets a new
 * password: that of the sign-up may be a stranger's, who wants to prepare an account for this address.
 */
export async function verifyEmail(
  context: VisitorContext,
  { token, password }: { token: string; password?: string | undefined },
): Promise<NewSignIn> {
  const { env, db, now, sender, requestId } = context;
  const claim = { hash: await hashToken(token), useId: requestId };
  const found = await findToken<PendingUser>(db, claim.hash, "verify_email", now);
  if (found === null) throw deadToken();
  const { email, name, browserHash } = found.payload;
  const isSameBrowser = sender.signUp !== undefined && (await hashToken(sender.signUp)) === browserHash;
  if (!isSameBrowser && password === undefined) throw invalidField("password", "other_browser");
  if (password !== undefined) await requireGoodPassword(context, password, { name, email, accounts: [] });
  const passwordHash = password === undefined ? found.payload.passwordHash : await hashPassword(env, password);

  const userId = newId(now);
  const batch = new Batch(db);
  const claimedRow = claimToken(batch, claim, now);
  const trustAt = (await isVouchedFor(context, email)) ? null : checks().firstTrustCheck(context);
  const newUser = { id: userId, email, name, passwordHash, accountUuid: newId(now), trustAt };
  addUser(batch, newUser, now, claimed(claim));
  const session = await startSession(batch, context, userId, userExists(userId));
  addPersonEntry(batch, context, userId, { action: "user.sign_up", targetId: userId }, userExists(userId));
  await batch.commitWithRetry();
  const user = claimedRow.first === undefined ? null : await findUser(db, userId);
  if (user === null) throw deadToken();
  return { session, user };
}
