import { Batch } from "../../../platform/database/batch.ts";
import { not } from "../../../platform/database/parameters.ts";
import { conflict, isInvalidCredentials, unauthorized } from "../../../platform/http/errors.ts";
import { newChallenge, type ChallengeUse } from "../factors/challenges.ts";
import { proveByCode, proveByPasskey, proveByRecoveryCode, wrongCode, type Proof } from "../factors/proof.ts";
import { addPersonEntry } from "../../../access/audit/person-entry.ts";
import type { AssertionAnswer } from "../factors/schemas.ts";
import { listPasskeys } from "../factors/store/passkeys.ts";
import { assertionOptions } from "../factors/webauthn.ts";
import { countSecondStepGuess } from "../guesses/check-guess.ts";
import { releaseGuess } from "../guesses/store.ts";
import { GUESS_WINDOW_MS, TOLD_WRONG_CODE } from "../limits.ts";
import { addNotice, deliverMails } from "../../../platform/mail/send.ts";
import { wasMailed } from "../../../platform/mail/store.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import type { NewSignIn } from "../sign-up/sign-up.ts";
import { claimable, claimed, claimToken, findToken } from "../tokens/store.ts";
import { hashToken } from "../../../platform/lib/token.ts";
import { findUser, type StoredUser } from "../users/store.ts";
import { addSignIn } from "./first-step.ts";
import { logProof, type ProofMethod } from "./log-proof.ts";

/** One of the factors. */
export interface GivenFactor {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: AssertionAnswer | undefined;
}

/** Begins the proof of a person by a passkey who has given the password. */
export async function startSecondStep(context: VisitorContext) {
  const step = await readStep(context);
  const passkeys = await listPasskeys(context.db, step.user.id);
  if (passkeys.length === 0) throw conflict("no_passkey");
  const challenge = await newChallenge(context, challengeUse(step));
  return assertionOptions(context, challenge, passkeys, "preferred");
}

/** Signs in a person who has given the password and now gives a second factor. */
export async function takeSecondStep(context: VisitorContext, given: GivenFactor): Promise<NewSignIn> {
  const step = await readStep(context);
  return logProof(context, methodOf(given), signInAfter(context, step, given), () => step.user.id);
}

async function signInAfter(context: VisitorContext, step: Step, given: GivenFactor): Promise<NewSignIn> {
  // Signatures of passkeys cannot be guessed.
  if (given.passkey !== undefined) return signInBy(context, step, given, null);
  const guess = await countSecondStepGuess(context, step.user);
  try {
    return await signInBy(context, step, given, guess.id);
  } catch (error) {
    if (isInvalidCredentials(error) && guess.count >= TOLD_WRONG_CODE) await tellWrongCodes(context, step.user);
    throw error;
  }
}

/** Tells the person, once in {@link GUESS_WINDOW_MS}, that somebody who has the password guesses at the second step. */
async function tellWrongCodes(context: VisitorContext, { email }: StoredUser): Promise<void> {
  const { db, now } = context;
  const kind = "wrong_codes";
  const batch = new Batch(db);
  const mailId = await addNotice(batch, context, kind, email, not(wasMailed(kind, email, now - GUESS_WINDOW_MS)));
  await batch.commitWithRetry();
  deliverMails(context, mailId);
}

async function signInBy(
  context: VisitorContext,
  step: Step,
  given: GivenFactor,
  guess: string | null,
): Promise<NewSignIn> {
  const { db, now, requestId } = context;
  const { user } = step;
  const claim = { hash: step.hash, useId: requestId };
  const proof = await prove(context, step, given);

  const batch = new Batch(db);
  const used = proof.addUse(batch, claimable(claim, now));
  const claimedRow = claimToken(batch, claim, now, used);
  const signedIn = claimed(claim);
  if (guess !== null) releaseGuess(batch, guess, signedIn);
  const session = await addSignIn(batch, context, user.id, signedIn, "factor");
  const mailIds: string[] = [];
  if (given.recoveryCode !== undefined) {
    addPersonEntry(batch, context, user.id, { action: "recovery_code.use", targetId: null }, signedIn);
    mailIds.push(await addNotice(batch, context, "recovery_code_used", user.email, signedIn));
  }
  await batch.commitWithRetry();
  // Without a session, the person was disabled meanwhile.
  if (claimedRow.first === undefined || session.stored.first === undefined) throw wrongCode();
  deliverMails(context, ...mailIds);
  return { session, user };
}

/** A sign-in that waits for its second step. */
interface Step {
  /** The stored form of its cookie. */
  hash: string;
  user: StoredUser;
}

async function readStep({ db, now, sender }: VisitorContext): Promise<Step> {
  const hash = await hashToken(sender.secondStep ?? "");
  const found = await findToken<object>(db, hash, "second_step", now);
  const user = found === null ? null : await findUser(db, found.subject);
  if (user === null)
    throw unauthorized("Sign in with the password first. The second step must follow within 5 minutes.");
  return { hash, user };
}

const challengeUse = ({ hash, user }: Step): ChallengeUse => ({
  purpose: "passkey_second_step",
  userId: user.id,
  binding: hash,
});

function methodOf({ passkey, recoveryCode }: GivenFactor): ProofMethod {
  if (passkey !== undefined) return "passkey";
  return recoveryCode === undefined ? "code" : "recovery_code";
}

function prove(context: VisitorContext, step: Step, { code, recoveryCode, passkey }: GivenFactor): Promise<Proof> {
  if (passkey !== undefined) return proveByPasskey(context, passkey, challengeUse(step), false);
  if (recoveryCode !== undefined) return proveByRecoveryCode(context, step.user.id, recoveryCode);
  return proveByCode(context, step.user.id, code ?? "");
}
