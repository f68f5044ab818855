import { Batch } from "../../../platform/database/batch.ts";
import { invalidCredentials } from "../../../platform/http/errors.ts";
import { emailKey } from "../../../platform/mail/email-address.ts";
import { countConfirmationGuess, countSignInGuess } from "../guesses/check-guess.ts";
import { releaseGuess } from "../guesses/store.ts";
import { verifyPassword } from "../password-hashing/hasher-stub.ts";
import type { SessionContext, VisitorContext } from "../../../access/sessions/session.ts";
import type { NewSignIn } from "../sign-up/sign-up.ts";
import { claimed, claimToken, findToken } from "../tokens/store.ts";
import { deadToken } from "../tokens/dead-token.ts";
import { hashToken } from "../../../platform/lib/token.ts";
import { findUser, findUserByEmail, hasPassword, setPassword, type StoredUser } from "../users/store.ts";
import { addFirstStep, type NeededStep } from "./first-step.ts";
import { logProof } from "./log-proof.ts";

const wrong = () => invalidCredentials("wrong_sign_in");

/** Signs in with a password, or asks for a second factor. An unknown address has the same answer as a wrong password, after the same work. */
export async function signIn(
  context: VisitorContext,
  { email, password }: { email: string; password: string },
): Promise<NewSignIn | NeededStep> {
  const user = await findUserByEmail(context.db, email);
  return logProof(context, "password", signInAs(context, user, email, password), () => user?.id ?? null);
}

async function signInAs(
  context: VisitorContext,
  user: StoredUser | null,
  email: string,
  password: string,
): Promise<NewSignIn | NeededStep> {
  const { env, db } = context;
  const key = emailKey(email);
  const guess = await countSignInGuess(context, { emailKey: key, deviceEpoch: user?.deviceEpoch ?? "" });
  const result = await verifyPassword(env, password, user?.passwordHash ?? null);
  if (result.outcome === "wrong" || user === null) throw wrong();

  const unchanged = hasPassword(user.id, user.passwordHash);
  const batch = new Batch(db);
  releaseGuess(batch, guess.id);
  const outcome = await addFirstStep(batch, context, user, unchanged);
  // Last, because it ends what the condition asks for.
  if (result.rehashed !== null) setPassword(batch, user.id, result.rehashed, unchanged);
  await batch.commitWithRetry();
  // The password was changed since it was compared.
  return outcome() ?? refuse(wrong());
}

/** The payload of a token that signs in. */
interface LinkPayload {
  /** Of `npm run account`. Without it, the link is the one that `npm start` prints. */
  by?: "operator";
}

/**
 * Signs in with a link of the operator, or asks for a second factor. `isLocal`: the caller is on the machine of the service, where
 * the link of `npm start` works too.
 */
export function signInByLink(
  context: VisitorContext,
  token: string,
  isLocal: boolean,
): Promise<NewSignIn | NeededStep> {
  const signedIn = signInWithLink(context, token, isLocal);
  return logProof(context, "link", signedIn, (outcome) =>
    outcome !== null && "user" in outcome ? outcome.user.id : null,
  );
}

async function signInWithLink(
  context: VisitorContext,
  token: string,
  isLocal: boolean,
): Promise<NewSignIn | NeededStep> {
  const { db, now, requestId } = context;
  const claim = { hash: await hashToken(token), useId: requestId };
  const found = await findToken<LinkPayload>(db, claim.hash, "sign_in_link", now);
  if (found === null || (found.payload.by !== "operator" && !isLocal)) throw deadToken();
  const user = await findUser(db, found.subject);
  if (user === null) throw deadToken();
  const batch = new Batch(db);
  claimToken(batch, claim, now);
  const outcome = await addFirstStep(batch, context, user, claimed(claim));
  await batch.commitWithRetry();
  return outcome() ?? refuse(deadToken());
}

function refuse(error: Error): never {
  throw error;
}

export const wrongPassword = () => invalidCredentials("wrong_own_password");

/** The user of a session who has given the right password, and the guess to release. Throws a 401 for a wrong one. */
export async function checkOwnPassword(
  context: SessionContext,
  password: string,
): Promise<{ user: StoredUser; guess: string }> {
  const { env, db, session } = context;
  const guess = await countConfirmationGuess(context);
  const user = await findUser(db, session.user.id);
  const result = await verifyPassword(env, password, user?.passwordHash ?? null);
  if (result.outcome === "wrong" || user === null) throw wrongPassword();
  return { user, guess: guess.id };
}
