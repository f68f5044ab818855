import { rateLimited } from "../../http/errors.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { newId } from "../../lib/uuid.ts";
import { emailKey } from "../email.ts";
import { knownDevice } from "../../sessions/start-session.ts";
import type { SessionContext, VisitorContext } from "../../sessions/session.ts";
import { reserveGuess } from "./store.ts";

/**
 * Counts a guess at the password of an address, whether it has a user or not. A browser that has signed in before has a
 * count of its own, so that strangers' guesses lock nobody out. Returns the id of the guess. Throws a 429 if there were
 * too many.
 */
export async function countSignInGuess(context: VisitorContext, key: string): Promise<string> {
  const device = await knownDevice(context, key);
  return countGuess(context, device === null ? `address ${key}` : `device ${device}`);
}

/** The same for a code at the second step of a sign-in, where the guesser knows the password. */
export async function countSecondStepGuess(
  context: VisitorContext,
  user: { id: string; email: string },
): Promise<string> {
  const device = await knownDevice(context, emailKey(user.email));
  return countGuess(context, device === null ? `second step ${user.id}` : `second step, device ${device}`);
}

/** The same for a password or code that a person gives in a session. */
export function countConfirmationGuess(context: SessionContext): Promise<string> {
  return countGuess(context, `session ${context.session.id}`);
}

async function countGuess({ env, now }: VisitorContext, subject: string): Promise<string> {
  const id = newId(now);
  const possibleAt = await reserveGuess(env.DB, id, await sha256Hex(subject), now);
  if (possibleAt === null) return id;
  const seconds = Math.max(1, Math.ceil((possibleAt - now) / 1_000));
  throw rateLimited("There were too many wrong attempts.", seconds);
}
