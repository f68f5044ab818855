import type { Batch } from "../../../platform/database/batch.ts";
import { allOf, type Condition } from "../../../platform/database/parameters.ts";
import { invalidCredentials } from "../../../platform/http/errors.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import { takeChallenge, type ChallengeUse } from "./challenges.ts";
import { findStep, hashRecoveryCode, openTotpSecret } from "./codes.ts";
import type { AssertionAnswer } from "./schemas.ts";
import { findPasskey, hasPasskey, recordPasskeyUse, type Passkey } from "./store/passkeys.ts";
import { recoveryCodeTaken, takeRecoveryCode } from "./store/recovery-codes.ts";
import { codeTaken, findTotp, takeCode } from "./store/totp.ts";
import { verifyAssertion, wrongPasskey } from "./webauthn.ts";

/** A factor that a person has given and that is right. It counts once it is used. */
export interface Proof {
  /** Adds the use of the factor to the batch, if the condition holds. Returns what holds if this request used it. */
  addUse(batch: Batch, condition: Condition): Condition;
}

export const wrongCode = () => invalidCredentials("wrong_second_factor");

/** Throws a 401 for a wrong code. One that was used before is found out at its use. */
export async function proveByCode(context: VisitorContext, userId: string, code: string): Promise<Proof> {
  const { env, db, now, requestId } = context;
  const factor = await findTotp(db, userId);
  if (factor === null || !factor.isConfirmed) throw wrongCode();
  const step = await findStep(await openTotpSecret(env, userId, factor.secret), code, now);
  if (step === null) throw wrongCode();
  const use = { userId, secret: factor.secret, step, useId: requestId };
  return {
    addUse(batch, condition) {
      takeCode(batch, use, condition);
      return codeTaken(use);
    },
  };
}

/** Whether the code is right is found out at its use. */
export async function proveByRecoveryCode(context: VisitorContext, userId: string, code: string): Promise<Proof> {
  const use = { userId, hash: await hashRecoveryCode(code), useId: context.requestId };
  return {
    addUse(batch, condition) {
      takeRecoveryCode(batch, use, condition);
      return recoveryCodeTaken(use);
    },
  };
}

/** The proof of a user whose passkey signed a challenge. */
export interface PasskeyProof extends Proof {
  userId: string;
}

/**
 * Verifies that a passkey signed the challenge: one of the user in `use`, or of the user whom the passkey names if that is
 * ''. Throws a 401 otherwise.
 */
export async function proveByPasskey(
  context: VisitorContext,
  answer: AssertionAnswer,
  use: ChallengeUse,
  requireUserVerification: boolean,
): Promise<PasskeyProof> {
  const { db, now } = context;
  const { challenge } = await takeChallenge(context, answer.response.clientDataJSON, use);
  const passkey = await findPasskey(db, answer.id);
  if (passkey === null || !isOf(passkey, use.userId, answer.response.userHandle ?? null)) throw wrongPasskey();
  const counter = await verifyAssertion(context, answer, challenge, passkey, requireUserVerification);
  const { id, userId } = passkey;
  return {
    userId,
    addUse(batch, condition) {
      const used = allOf(condition, hasPasskey(userId, id));
      recordPasskeyUse(batch, id, counter, now, used);
      return hasPasskey(userId, id);
    },
  };
}

/** A passkey that names no user is enough only if the user is known already. */
function isOf(passkey: Passkey, userId: string, userHandle: string | null): boolean {
  if (userHandle !== null && userHandle !== passkey.userHandle) return false;
  return userId === "" ? userHandle !== null : passkey.userId === userId;
}
