import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

const BINDINGS = ["DB", "CLICK_LOG", "RATE_LIMITER", "PASSWORD_HASHER", "JOB_RUNNER", "SCREENER"];

const bindings = env as unknown as Record<string, unknown>;
/** Whether a binding with storage was used since it was emptied. At the beginning of a file, nothing is known. */
let isUsed = true;

for (const name of BINDINGS) {
  const binding = bindings[name];
  const get = () => {
    isUsed = true;
    return binding;
  };
  Object.defineProperty(env, name, { enumerable: true, configurable: true, get });
}

/** Most tests are about an installation that has an owner. */
const CLAIMED = "UPDATE installation SET claimed_at = 1";

const MAX_RESETS = 10;

/** Empties the database and the Durable Objects, unless nothing has used them: most tests of pure functions do not. */
export async function emptyStorage(): Promise<void> {
  if (!isUsed) return;
  for (let left = MAX_RESETS; isUsed; left--) {
    await reset();
    try {
      await env.DB.prepare(`${env.SCHEMA};\n${CLAIMED}`).run();
      isUsed = false;
    } catch (error) {
      // At the beginning of a file, the first reset sometimes has no effect.
      if (left === 1 || !String(error).includes("already exists")) throw error;
    }
  }
}
