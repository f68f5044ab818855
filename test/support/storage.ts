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

const MAX_RESETS = 10;

/** Empties the database and the Durable Objects, unless nothing has used them: most tests of pure functions do not. */
export async function emptyStorage(): Promise<void> {
  if (!isUsed) return;
  // At the beginning of a file, the first reset sometimes has no effect.
  let resets = 0;
  do {
    if (resets++ === MAX_RESETS) throw new Error(`the database still has tables after ${MAX_RESETS} resets`);
    await reset();
  } while (await hasTables());
  await env.DB.prepare(env.SCHEMA).run();
  isUsed = false;
}

async function hasTables(): Promise<boolean> {
  return (await env.DB.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").first()) !== null;
}
