import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Whether anything has used a binding with storage since it was emptied. */
let used = true;

for (const name of ["DB", "CLICK_LOG", "RATE_LIMITER", "PASSWORD_HASHER", "JOB_RUNNER", "SCREENER"] as const) {
  const binding = env[name];
  const get = () => {
    used = true;
    return binding;
  };
  Object.defineProperty(env, name, { enumerable: true, configurable: true, get });
}

/** Empties the database and the Durable Objects, unless nothing has used them: most tests of pure functions do not. */
export async function emptyStorage(): Promise<void> {
  if (!used) return;
  // At the beginning of a file, the first reset sometimes has no effect.
  do await reset();
  while ((await env.DB.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").first()) !== null);
  await env.DB.prepare(env.SCHEMA).run();
  used = false;
}
