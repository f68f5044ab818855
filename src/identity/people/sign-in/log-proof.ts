import { log } from "../../../platform/lib/log.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";

export type ProofMethod = "password" | "code" | "recovery_code" | "passkey" | "link" | "local";

/**
 * Logs whether a person proved the identity, at a sign-in or in a session. Returns or throws what `proof` does. `userOf`
 * returns the id of the person, of `result` if the proof was accepted; null: unknown.
 */
export async function logProof<T>(
  { requestId, country }: VisitorContext,
  method: ProofMethod,
  proof: Promise<T>,
  userOf: (result: T | null) => string | null,
): Promise<T> {
  const logOutcome = (accepted: boolean, result: T | null) =>
    log("info", "identity_proof", { requestId, method, accepted, userId: userOf(result), country });
  const result = await proof.catch((error: unknown) => {
    logOutcome(false, null);
    throw error;
  });
  logOutcome(true, result);
  return result;
}
