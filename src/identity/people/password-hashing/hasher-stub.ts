import { notResponding } from "../../../platform/http/errors.ts";
import type { HashOutcome, VerifyOutcome } from "./hash-queue.ts";
import { normalisePassword } from "../../../platform/lib/password.ts";
import { PASSWORD_HASHERS } from "../limits.ts";

/** Returns the password in its stored form. Throws a 503 if too many wait. */
export async function hashPassword(env: Env, password: string): Promise<string> {
  const normalised = normalisePassword(password);
  return (await askHasher<HashOutcome>(env, async (hasher) => hasher.hash(normalised))).hash;
}

/** Compares a password with its stored form; null: there is none. Throws a 503 if too many wait. */
export async function verifyPassword(
  env: Env,
  password: string,
  stored: string | null,
): Promise<Exclude<VerifyOutcome, Busy>> {
  const normalised = normalisePassword(password);
  return askHasher<VerifyOutcome>(env, async (hasher) => hasher.verify(normalised, stored));
}

interface Busy {
  outcome: "busy";
}

type Hasher = ReturnType<Env["PASSWORD_HASHER"]["getByName"]>;

/**
 * Asks a Durable Object, and a second one if too many wait at the first. They are drawn at random: nothing in a request, such as
 * a chosen address, sends many passwords to the same one. Throws a 503 if too many wait at both.
 */
async function askHasher<T extends { outcome: string }>(
  env: Env,
  ask: (hasher: Hasher) => Promise<T>,
): Promise<Exclude<T, Busy>> {
  const [first = 0, distance = 0] = crypto.getRandomValues(new Uint32Array(2));
  for (const number of [first, first + 1 + (distance % (PASSWORD_HASHERS - 1))]) {
    const result = await ask(env.PASSWORD_HASHER.getByName(`hasher ${number % PASSWORD_HASHERS}`));
    if (result.outcome !== "busy") return result as Exclude<T, Busy>;
  }
  throw busy();
}

const busy = () => notResponding("Too many passwords are being checked at the moment. Try again.");
