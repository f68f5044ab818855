import { Batch } from "../../../platform/database/batch.ts";
import { ALWAYS } from "../../../platform/database/parameters.ts";
import { newChallenge, type ChallengeUse } from "../factors/challenges.ts";
import { proveByPasskey } from "../factors/proof.ts";
import type { AssertionAnswer } from "../factors/schemas.ts";
import { assertionOptions, wrongPasskey } from "../factors/webauthn.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import type { NewSignIn } from "../sign-up/sign-up.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import { findUser } from "../users/store.ts";
import { addSignIn } from "./first-step.ts";
import { logProof } from "./log-proof.ts";

async function challengeUse(cookie: string): Promise<ChallengeUse> {
  return { purpose: "passkey_sign_in", userId: "", binding: await hashToken(cookie) };
}

/** Begins a sign-in with a passkey. `cookie` binds it to this browser. */
export async function startPasskeySignIn(context: VisitorContext) {
  const cookie = newToken();
  const challenge = await newChallenge(context, await challengeUse(cookie));
  return { cookie, options: await assertionOptions(context, challenge, [], "required") };
}

/** Signs in with a passkey alone. It counts as both factors, because the authenticator has verified the person. */
export function signInByPasskey(context: VisitorContext, answer: AssertionAnswer): Promise<NewSignIn> {
  return logProof(context, "passkey", signInWith(context, answer), (signedIn) => signedIn?.user.id ?? null);
}

async function signInWith(context: VisitorContext, answer: AssertionAnswer): Promise<NewSignIn> {
  const { db, sender } = context;
  const proof = await proveByPasskey(context, answer, await challengeUse(sender.passkey ?? ""), true);
  const user = await findUser(db, proof.userId);
  if (user === null) throw wrongPasskey();
  const batch = new Batch(db);
  const session = await addSignIn(batch, context, user.id, proof.addUse(batch, ALWAYS), "factor");
  await batch.commitWithRetry();
  // The passkey was removed since it was verified.
  if (session.stored.first === undefined) throw wrongPasskey();
  return { session, user };
}
