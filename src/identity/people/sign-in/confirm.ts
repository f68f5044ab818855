import { Batch, addCheck } from "../../../platform/database/batch.ts";
import { allOf, ALWAYS } from "../../../platform/database/parameters.ts";
import { conflict, invalidField } from "../../../platform/http/errors.ts";
import { newChallenge, type ChallengeUse } from "../factors/challenges.ts";
import { proveByCode, proveByPasskey, wrongCode } from "../factors/proof.ts";
import type { AssertionAnswer } from "../factors/schemas.ts";
import { lacksFactor } from "../factors/store/factors.ts";
import { listPasskeys } from "../factors/store/passkeys.ts";
import { assertionOptions } from "../factors/webauthn.ts";
import { countConfirmationGuess } from "../guesses/check-guess.ts";
import { releaseGuess } from "../guesses/store.ts";
import type { SessionContext } from "../../../access/sessions/session.ts";
import { confirmSession } from "../../../access/sessions/store/sessions.ts";
import { hasPassword } from "../users/store.ts";
import { logProof } from "./log-proof.ts";
import { checkOwnPassword } from "./sign-in.ts";

/** One way to confirm the identity. */
export interface Confirmation {
  password?: string | undefined;
  code?: string | undefined;
  passkey?: AssertionAnswer | undefined;
  /** Of a person who has neither a password nor second factors, on the machine of the service. */
  local?: true | undefined;
}

/** Confirms the identity of a person in a session. With a second factor, a password is not enough. */
export function confirmIdentity(context: SessionContext, given: Confirmation): Promise<void> {
  const { password, passkey } = given;
  const ofSession = () => context.session.user.id;
  if (given.local === true) return logProof(context, "local", confirmLocally(context), ofSession);
  if (password !== undefined) return logProof(context, "password", confirmByPassword(context, password), ofSession);
  return logProof(context, passkey === undefined ? "code" : "passkey", confirmByFactor(context, given), ofSession);
}

async function confirmByFactor(context: SessionContext, { code, passkey }: Confirmation): Promise<void> {
  const { db, now, session } = context;
  const { id: userId } = session.user;
  const guess = passkey === undefined ? await countConfirmationGuess(context) : null;
  const proof =
    passkey === undefined
      ? await proveByCode(context, userId, code ?? "")
      : await proveByPasskey(context, passkey, challengeUse(context), false);
  const batch = new Batch(db);
  const used = proof.addUse(batch, ALWAYS);
  confirmSession(batch, session.id, "factor", now, used);
  if (guess !== null) releaseGuess(batch, guess.id, used);
  const check = addCheck(batch, used);
  await batch.commitWithRetry();
  if (check.first === undefined) throw wrongCode();
}

async function confirmByPassword(context: SessionContext, password: string): Promise<void> {
  const { db, now, session } = context;
  if (session.hasFactor) throw passwordIsNotEnough();
  const { user, guess } = await checkOwnPassword(context, password);
  const right = allOf(hasPassword(user.id, user.passwordHash), lacksFactor(user.id));
  const batch = new Batch(db);
  releaseGuess(batch, guess);
  confirmSession(batch, session.id, "other", now, right);
  const check = addCheck(batch, right);
  await batch.commitWithRetry();
  // The password was changed or a factor was added since.
  if (check.first === undefined) throw passwordIsNotEnough();
}

async function confirmLocally({ db, now, session }: SessionContext): Promise<void> {
  const hasNothing = allOf(hasPassword(session.user.id, null), lacksFactor(session.user.id));
  const batch = new Batch(db);
  confirmSession(batch, session.id, "other", now, hasNothing);
  const check = addCheck(batch, hasNothing);
  await batch.commitWithRetry();
  if (check.first === undefined)
    throw invalidField("local", "not_enough", { allowed: ["password", "code", "passkey"] });
}

const passwordIsNotEnough = () => invalidField("password", "not_enough", { allowed: ["code", "passkey"] });

const challengeUse = ({ session }: SessionContext): ChallengeUse => ({
  purpose: "passkey_confirm",
  userId: session.user.id,
  binding: session.id,
});

/** Begins the confirmation by a passkey. */
export async function startConfirmation(context: SessionContext) {
  const passkeys = await listPasskeys(context.db, context.session.user.id);
  if (passkeys.length === 0) throw conflict("no_passkey");
  const challenge = await newChallenge(context, challengeUse(context));
  return assertionOptions(context, challenge, passkeys, "preferred");
}
