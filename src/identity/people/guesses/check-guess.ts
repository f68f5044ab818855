import { rateLimited } from "../../../platform/http/errors.ts";
import { fault } from "../../../platform/http/faults.ts";
import { sha256Hex } from "../../../platform/lib/hash.ts";
import { newId } from "../../../platform/lib/uuid.ts";
import { emailKey } from "../../../platform/mail/email-address.ts";
import { MAX_GUESSES, MAX_GUESSES_OF_ALL_DEVICES, MAX_GUESSES_OF_ALL_NETWORKS } from "../limits.ts";
import { knownDevice, type DeviceOwner } from "../../../access/sessions/start-session.ts";
import type { SessionContext, VisitorContext } from "../../../access/sessions/session.ts";
import { reserveGuess } from "./store.ts";

/** A guess that is counted as wrong until it is released. */
export interface CountedGuess {
  id: string;
  /** Wrong guesses at the same, with this one. */
  count: number;
}

/** How many wrong guesses a text, such as an address and a network, may have. */
type Limits = [text: string, max: number][];

/**
 * Counts a guess at the password of an address, whether it has a user or not: for its network, and for all networks. A browser
 * that has signed in before has a count of its own, so that strangers' guesses do not lock it out. All such browsers of a person
 * have one together. Throws a 429 if there were too many.
 */
export async function countSignInGuess(context: VisitorContext, owner: DeviceOwner): Promise<CountedGuess> {
  const device = await knownDevice(context, owner);
  if (device !== null) return countGuess(context, limitsOfDevice(owner, device, "password"));
  const { emailKey: key } = owner;
  return countGuess(context, [
    [`address ${key} from ${context.sender.network}`, MAX_GUESSES],
    [`address ${key}`, MAX_GUESSES_OF_ALL_NETWORKS],
  ]);
}

/**
 * The same for a code at the second step of a sign-in. The guesser knows the password, so all networks have one count. An owner
 * who is locked out by it sets another password by mail, and then has a known device.
 */
export async function countSecondStepGuess(
  context: VisitorContext,
  user: { id: string; email: string; deviceEpoch: string },
): Promise<CountedGuess> {
  const owner = { emailKey: emailKey(user.email), deviceEpoch: user.deviceEpoch };
  const device = await knownDevice(context, owner);
  if (device !== null) return countGuess(context, limitsOfDevice(owner, device, "second step"));
  return countGuess(context, [[`second step ${user.id}`, MAX_GUESSES]]);
}

/** The same for a password or code that a person gives in a session. */
export function countConfirmationGuess(context: SessionContext): Promise<CountedGuess> {
  return countGuess(context, [[`session ${context.session.id}`, MAX_GUESSES]]);
}

function limitsOfDevice({ emailKey: key, deviceEpoch }: DeviceOwner, device: string, at: string): Limits {
  return [
    [`${at}, device ${device}`, MAX_GUESSES],
    [`${at}, devices of ${key} ${deviceEpoch}`, MAX_GUESSES_OF_ALL_DEVICES],
  ];
}

async function countGuess({ db, now }: VisitorContext, limits: Limits): Promise<CountedGuess> {
  const id = newId(now);
  const hashed = await Promise.all(limits.map(async ([text, max]) => ({ subject: await sha256Hex(text), max })));
  const reservation = await reserveGuess(db, id, hashed, now);
  if (reservation.allowed) return { id, count: reservation.count };
  const seconds = Math.max(1, Math.ceil((reservation.possibleAt - now) / 1_000));
  throw rateLimited(fault("", "too_many_attempts"), seconds);
}
