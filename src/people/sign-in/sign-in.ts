import { addAuditEntry } from "../../audit/store.ts";
import { Batch } from "../../database/batch.ts";
import type { Condition } from "../../database/parameters.ts";
import { invalidCredentials } from "../../http/errors.ts";
import { emailKey } from "../email.ts";
import { countConfirmationGuess, countSignInGuess } from "../guesses/check-guess.ts";
import { releaseGuess } from "../guesses/store.ts";
import { verifyPassword } from "../passwords/passwords.ts";
import type { SessionContext, VisitorContext } from "../sessions/session.ts";
import { startSession, type StartedSession } from "../sessions/start-session.ts";
import { confirmSession, isEnabled } from "../sessions/store.ts";
import type { NewSignIn } from "../sign-up/sign-up.ts";
import { claimed, claimToken, findToken } from "../tokens/store.ts";
import { deadToken } from "../tokens/dead-token.ts";
import { hashToken } from "../tokens/token.ts";
import { findUser, findUserByEmail, hasPassword, setPassword, type StoredUser } from "../users/store.ts";

const wrong = () => invalidCredentials("The address or the password is wrong.");

/** Signs in with a password. An unknown address has the same answer as a wrong password, after the same work. */
export async function signIn(
  context: VisitorContext,
  { email, password }: { email: string; password: string },
): Promise<NewSignIn> {
  const { env } = context;
  const key = emailKey(email);
  const guess = await countSignInGuess(context, key);
  const user = await findUserByEmail(env.DB, email);
  const result = await verifyPassword(env, key, password, user?.passwordHash ?? null);
  if (result.outcome === "wrong" || user === null) throw wrong();

  const unchanged = hasPassword(user.id, user.passwordHash);
  const batch = new Batch(env.DB);
  releaseGuess(batch, guess);
  const session = await addSignIn(batch, context, user, unchanged);
  // Last, because it ends what the condition asks for.
  if (result.rehashed !== null) setPassword(batch, user.id, result.rehashed, unchanged);
  await batch.commitWithRetry();
  // The password was changed since it was compared.
  if (session.stored.first === undefined) throw wrong();
  return { session, user };
}

/** Signs in with the link that `npm start` prints. */
export async function signInByLink(context: VisitorContext, token: string): Promise<NewSignIn> {
  const { env, now, requestId } = context;
  const claim = { hash: await hashToken(token), useId: requestId };
  const found = await findToken<object>(env.DB, claim.hash, "sign_in_link", now);
  const user = found === null ? null : await findUser(env.DB, found.subject);
  if (user === null) throw deadToken();
  const batch = new Batch(env.DB);
  claimToken(batch, claim, now);
  const session = await addSignIn(batch, context, user, claimed(claim));
  await batch.commitWithRetry();
  if (session.stored.first === undefined) throw deadToken();
  return { session, user };
}

/** Adds a session of the user and its entry in the audit log, if the condition holds. */
async function addSignIn(
  batch: Batch,
  context: VisitorContext,
  { id }: StoredUser,
  condition: Condition,
): Promise<StartedSession> {
  const admitted: Condition = (parameters) => `${condition(parameters)} AND ${isEnabled(id)(parameters)}`;
  const session = await startSession(batch, context, id, admitted);
  const entry = { account: { personalOf: id }, actor: { type: "user", id }, action: "user.sign_in" } as const;
  addAuditEntry(batch, { ...entry, targetId: session.id, country: context.country }, context.now, admitted);
  return session;
}

/** Confirms the identity of a person in a session. */
export async function confirmByPassword(context: SessionContext, password: string): Promise<void> {
  const { env, now, session } = context;
  const { user, guess } = await checkOwnPassword(context, password);
  const batch = new Batch(env.DB);
  releaseGuess(batch, guess);
  confirmSession(batch, session.id, now, hasPassword(user.id, user.passwordHash));
  await batch.commitWithRetry();
}

export const wrongPassword = () => invalidCredentials("The password is wrong.");

/** The user of a session who has given the right password, and the guess to release. Throws a 401 for a wrong one. */
export async function checkOwnPassword(
  context: SessionContext,
  password: string,
): Promise<{ user: StoredUser; guess: string }> {
  const { env, session } = context;
  const guess = await countConfirmationGuess(context);
  const user = await findUser(env.DB, session.user.id);
  const key = emailKey(session.user.email);
  const result = await verifyPassword(env, key, password, user?.passwordHash ?? null);
  if (result.outcome === "wrong" || user === null) throw wrongPassword();
  return { user, guess };
}
