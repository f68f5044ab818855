import { addPersonEntry } from "../../../access/audit/person-entry.ts";
import { addCheck, type Batch } from "../../../platform/database/batch.ts";
import { allOf, type Condition } from "../../../platform/database/parameters.ts";
import { hasFactor, lacksFactor, readFactorKinds, toFactorKinds, type FactorKind } from "../factors/store/factors.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import { startSession, type StartedSession } from "../../../access/sessions/start-session.ts";
import { isEnabled, type SessionProof } from "../../../access/sessions/store/sessions.ts";
import type { NewSignIn } from "../sign-up/sign-up.ts";
import { addToken, tokenStored } from "../tokens/store.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import type { StoredUser } from "../users/store.ts";
import { SECOND_STEP_TTL_MS } from "../limits.ts";

/** A sign-in that waits for a second factor. */
export interface NeededStep {
  /** The value of the cookie for the second step. */
  cookie: string;
  mfa: FactorKind[];
}

/**
 * Adds a session to the batch, or for a person with a second factor the wait for it, if the condition holds. The batch
 * itself decides which, so that no factor is missed that is added meanwhile. The result is read once the batch is committed;
 * null: the condition did not hold.
 */
export async function addFirstStep(
  batch: Batch,
  context: VisitorContext,
  user: StoredUser,
  condition: Condition,
): Promise<() => NewSignIn | NeededStep | null> {
  const { now } = context;
  const admitted = allOf(condition, isEnabled(user.id));
  const session = await addSignIn(batch, context, user.id, allOf(condition, lacksFactor(user.id)));
  const cookie = newToken();
  const token = { hash: await hashToken(cookie), purpose: "second_step", subject: user.id, payload: {} } as const;
  addToken(batch, { ...token, expiresAt: now + SECOND_STEP_TTL_MS }, now, allOf(admitted, hasFactor(user.id)));
  const waits = addCheck(batch, tokenStored(token.hash));
  const kinds = readFactorKinds(batch, user.id);
  return () => {
    if (session.stored.first !== undefined) return { session, user };
    return waits.first === undefined ? null : { cookie, mfa: toFactorKinds(kinds.first) };
  };
}

/**
 * Adds a session of the user and its entry in the audit log, if the condition holds and the person is not disabled. `proof` is
 * what the person proved the identity with.
 */
export async function addSignIn(
  batch: Batch,
  context: VisitorContext,
  userId: string,
  condition: Condition,
  proof: SessionProof = "other",
): Promise<StartedSession> {
  const admitted = allOf(condition, isEnabled(userId));
  const session = await startSession(batch, context, userId, admitted, proof);
  addPersonEntry(batch, context, userId, { action: "user.sign_in", targetId: session.id }, admitted);
  return session;
}
