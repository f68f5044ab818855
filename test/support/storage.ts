import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Those of test/support/several-databases.ts. They are not enumerable: otherwise each copy of the environment would use them. */
const FURTHER_DATABASES = ["SECOND_DB", "THIRD_DB"];
const DATABASES = ["DB", ...FURTHER_DATABASES];
const OBJECTS = ["CLICK_LOG", "RATE_LIMITER", "PASSWORD_HASHER", "JOB_RUNNER", "SCREENER"];

const bindings = env as unknown as Record<string, D1Database>;
/** The bindings with storage that have been used since it was emptied. At the beginning of a file, nothing is known. */
const used = new Set(DATABASES);

for (const name of [...DATABASES, ...OBJECTS]) {
  const binding = bindings[name];
  const get = () => {
    used.add(name);
    return binding;
  };
  Object.defineProperty(env, name, { enumerable: !FURTHER_DATABASES.includes(name), configurable: true, get });
}

const MAX_RESETS = 10;

/** Empties the databases and the Durable Objects, unless nothing has used them: most tests of pure functions do not. */
export async function emptyStorage(): Promise<void> {
  if (used.size === 0) return;
  const databases = DATABASES.filter((name) => name === "DB" || used.has(name));
  // At the beginning of a file, the first reset sometimes has no effect.
  let resets = 0;
  do {
    if (resets++ === MAX_RESETS) throw new Error(`the databases still have tables after ${MAX_RESETS} resets`);
    await reset();
  } while ((await Promise.all(databases.map(hasTables))).includes(true));
  await env.DB.prepare(env.SCHEMA).run();
  used.clear();
}

async function hasTables(name: string): Promise<boolean> {
  const table = await bindings[name]?.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'accounts'").first();
  return table !== null;
}
