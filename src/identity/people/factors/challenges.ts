import { Batch } from "../../../platform/database/batch.ts";
import { ALWAYS } from "../../../platform/database/parameters.ts";
import { badRequest, invalidCredentials } from "../../../platform/http/errors.ts";
import { fromBase64Url } from "../../../platform/lib/base64url.ts";
import type { VisitorContext } from "../../../access/sessions/session.ts";
import { addToken, claimToken, findToken, type ChallengePurpose } from "../tokens/store.ts";
import { hashToken, newToken } from "../../../platform/lib/token.ts";
import { WEBAUTHN_CHALLENGE_TTL_MS } from "../limits.ts";

// WebAuthn challenges. Each is for one purpose, one user and one session, and is used once, also by an answer that fails.

/** What an answer must be for. */
export interface ChallengeUse {
  purpose: ChallengePurpose;
  /** The id of the user; '' if the passkey tells. */
  userId: string;
  /** The session, second step or browser that asked. */
  binding: string;
}

interface StoredChallenge {
  binding: string;
  /** The handle that the new passkey gets. */
  userHandle?: string;
}

/** Returns a new challenge: 32 random bytes, in base64url. */
export async function newChallenge(
  { db, now }: VisitorContext,
  { purpose, userId, binding }: ChallengeUse,
  userHandle?: string,
): Promise<string> {
  const challenge = newToken();
  const payload: StoredChallenge = { binding, ...(userHandle !== undefined && { userHandle }) };
  const token = { hash: await hashToken(challenge), purpose, subject: userId, payload };
  const batch = new Batch(db);
  addToken(batch, { ...token, expiresAt: now + WEBAUTHN_CHALLENGE_TTL_MS }, now, ALWAYS);
  await batch.commitWithRetry();
  return challenge;
}

/** A challenge that this request has used. */
export interface TakenChallenge {
  challenge: string;
  userHandle: string | undefined;
}

/**
 * Uses the challenge of a browser's answer: of concurrent requests, one. Throws a 400 for a new passkey and a 401 for a
 * proof if the challenge is unknown, used, expired or for something else.
 */
export async function takeChallenge(
  { db, now, requestId }: VisitorContext,
  clientDataJson: string,
  { purpose, userId, binding }: ChallengeUse,
): Promise<TakenChallenge> {
  const challenge = readChallenge(clientDataJson);
  const claim = { hash: await hashToken(challenge), useId: requestId };
  const found = await findToken<StoredChallenge>(db, claim.hash, purpose, now);
  if (found === null || found.subject !== userId || found.payload.binding !== binding) throw deadChallenge(purpose);
  const batch = new Batch(db);
  const claimedRow = claimToken(batch, claim, now);
  await batch.commitWithRetry();
  if (claimedRow.first === undefined) throw deadChallenge(purpose);
  return { challenge, userHandle: found.payload.userHandle };
}

function deadChallenge(purpose: ChallengePurpose): Error {
  return purpose === "passkey_add" ? badRequest("dead_challenge") : invalidCredentials("dead_challenge");
}

function readChallenge(clientDataJson: string): string {
  try {
    const text = new TextDecoder().decode(fromBase64Url(clientDataJson));
    const { challenge } = JSON.parse(text) as { challenge: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}
