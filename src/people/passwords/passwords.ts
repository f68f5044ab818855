import { unavailable } from "../../http/errors.ts";
import { fnv1a } from "../../lib/fnv1a.ts";
import type { VerifyOutcome } from "./hash-queue.ts";
import { normalisePassword } from "../../lib/password.ts";
import { PASSWORD_HASHERS } from "../limits.ts";

/** Returns the password in its stored form. `emailKey` chooses the Durable Object. Throws a 503 if too many wait there. */
export async function hashPassword(env: Env, emailKey: string, password: string): Promise<string> {
  const result = await hasherFor(env, emailKey).hash(normalisePassword(password));
  if (result.outcome === "busy") throw busy();
  return result.hash;
}

/** Compares a password with its stored form; null: there is none. Throws a 503 if too many wait. */
export async function verifyPassword(
  env: Env,
  emailKey: string,
  password: string,
  stored: string | null,
): Promise<Exclude<VerifyOutcome, { outcome: "busy" }>> {
  const result = await hasherFor(env, emailKey).verify(normalisePassword(password), stored);
  if (result.outcome === "busy") throw busy();
  return result;
}

function hasherFor(env: Env, emailKey: string) {
  return env.PASSWORD_HASHER.getByName(`hasher ${fnv1a(emailKey) % PASSWORD_HASHERS}`);
}

const busy = () => unavailable("Too many passwords are being checked at the moment. Try again.");
