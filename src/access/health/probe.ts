import { open, readKeys, seal, toBase64 } from "../../platform/lib/encryption.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { withTimeout } from "../../platform/lib/timeout.ts";
import type { CheckName, HealthState } from "./contract.ts";
import { readSchemaVersion, samplePasswordHashes, sampleSecrets, storeHealth } from "./store.ts";
import { HEALTH_TIMEOUT_MS } from "./limits.ts";
import type { ServiceContext } from "../../platform/context.ts";

/** The version of the tables that this code needs. It works with the next one too. */
export const SCHEMA_VERSION = 3;

/** A failed check as the state of the service shows it. It has no details of the error: those are in the log. */
type Problem = HealthState["problems"][number];

const DEPLOY = "Run npm run deploy (on this machine: npm start).";
const STATUS_PAGE = "See Cloudflare's status page. If it began with a deployment, deploy the former version again.";
const SET_KEYS = "Set the former keys: npm run wrangler -- secret put ENCRYPTION_KEYS (on this machine: in .dev.vars).";
const FIRST_KEY = `${SET_KEYS} Only if there never was a key, run npm run deploy (on this machine: npm start), which creates one.`;

/** Checks all parts concurrently, each with the cheapest possible call. */
export async function probe(env: Env): Promise<HealthState> {
  const [database, encryptionKeys, durableObjects, queues] = await Promise.all([
    checkDatabase(env),
    check("encryptionKeys", () => checkKeys(env)),
    check("durableObjects", () => checkDurableObjects(env)),
    check("queues", () => checkQueues(env)),
  ]);
  const problems = [database.problem, encryptionKeys, durableObjects, queues].filter((problem) => problem !== null);
  const result = (name: CheckName) => (problems.some((problem) => problem.check === name) ? "failed" : "ok");
  return {
    status: problems.length === 0 ? "ok" : "failed",
    checks: {
      database: result("database"),
      schema: result("database") === "failed" ? "unknown" : result("schema"),
      encryptionKeys: result("encryptionKeys"),
      durableObjects: result("durableObjects"),
      queues: result("queues"),
    },
    schemaVersion: database.version,
    problems,
  };
}

/** Returns null if the check succeeds. `ask` returns or throws the problem. */
async function check(name: CheckName, ask: () => Promise<Problem | null>): Promise<Problem | null> {
  try {
    const problem = await withTimeout(ask(), HEALTH_TIMEOUT_MS);
    if (problem !== null)
      log("error", "health_check_failed", { part: problem.check, error: problem.problem, fix: problem.fix });
    return problem;
  } catch (error) {
    log("error", "health_check_failed", { part: name, ...describeError(error), fix: STATUS_PAGE });
    return { check: name, problem: NO_RESPONSE[name], fix: STATUS_PAGE };
  }
}

const NO_RESPONSE: Record<CheckName, string> = {
  database: "The database does not respond.",
  schema: "The database does not respond.",
  encryptionKeys: "The stored secrets could not be read.",
  durableObjects: "The Durable Objects do not respond.",
  queues: "The queues do not respond.",
};

async function checkDatabase(env: Env): Promise<{ version: number | null; problem: Problem | null }> {
  let version: number | null = null;
  const problem = await check("database", async () => {
    version = await readSchemaVersion(env.DB);
    return schemaProblem(version);
  });
  return { version, problem };
}

/** A database may be one version ahead: it is migrated before the new code is deployed, and the code may be rolled back. */
function schemaProblem(version: number | null): Problem | null {
  if (version === SCHEMA_VERSION || version === SCHEMA_VERSION + 1) return null;
  if (version === null) return { check: "schema", problem: "The database has no tables.", fix: DEPLOY };
  const problem = `The database has version ${version} of the schema, and the deployed code needs version ${SCHEMA_VERSION}.`;
  const fix = version < SCHEMA_VERSION ? DEPLOY : "Check out the newer code, and run npm run deploy.";
  return { check: "schema", problem, fix };
}

async function checkKeys(env: Env): Promise<Problem | null> {
  const { ENCRYPTION_KEYS } = env;
  let keys: ReturnType<typeof readKeys>;
  try {
    keys = readKeys(ENCRYPTION_KEYS);
  } catch {
    return keyProblem("ENCRYPTION_KEYS does not have the form <id>:<32 bytes in base64>.");
  }
  if (keys.length === 0) return keyProblem("ENCRYPTION_KEYS is missing.", FIRST_KEY);
  for (const { id, bytes } of keys) {
    const key = `${id}:${toBase64(bytes)}`;
    if ((await open(key, await seal(key, "known", "health"), "health")) !== "known")
      return keyProblem("A key in ENCRYPTION_KEYS does not decrypt what it encrypted.");
  }
  return checkStored(env.DB, ENCRYPTION_KEYS, keys);
}

/** Whether the keys are those of what the database has. If the database fails, its own check says so. */
async function checkStored(
  db: D1Database,
  encryptionKeys: string,
  keys: ReturnType<typeof readKeys>,
): Promise<Problem | null> {
  for (const { sealed, context } of await sampleSecrets(db).catch(() => [])) {
    if (!(await isReadable(encryptionKeys, sealed, context)))
      return keyProblem("ENCRYPTION_KEYS lacks a key that encrypted the secrets of webhooks or shared pages.");
  }
  for (const hash of await samplePasswordHashes(db).catch(() => [])) {
    if (!keys.some(({ id }) => hash.startsWith(`${id}.`)))
      return keyProblem("ENCRYPTION_KEYS lacks a key that hashed the passwords of links.");
  }
  return null;
}

async function isReadable(keys: string, sealed: string, context: string): Promise<boolean> {
  try {
    await open(keys, sealed, context);
    return true;
  } catch {
    return false;
  }
}

function keyProblem(problem: string, fix = SET_KEYS): Problem {
  return { check: "encryptionKeys", problem, fix };
}

async function checkDurableObjects({ RATE_LIMITER, CLICK_LOG }: Env): Promise<null> {
  await Promise.all([RATE_LIMITER.getByName("health").ping(), CLICK_LOG.getByName("health").firstClickAt()]);
  return null;
}

async function checkQueues(env: Env): Promise<Problem | null> {
  const queues = [
    env.CLICKS,
    env.DELIVERIES,
    env.CLICK_EVENTS,
    env.DEAD_CLICKS,
    env.DEAD_DELIVERIES,
    env.DEAD_CLICK_EVENTS,
  ];
  // A binding can be missing in a configuration that was changed.
  if (queues.some((queue) => (queue as Queue | undefined) === undefined))
    return {
      check: "queues",
      problem: "A queue is not bound.",
      fix: `Compare deploy.toml with wrangler.toml. ${DEPLOY}`,
    };
  await Promise.all(queues.map((queue) => queue.metrics()));
  return null;
}

/** Checks all parts, logs those that fail, and keeps the state for `npm run health`. Returns the number of failed checks. */
export async function recordHealth({ env, db, now }: ServiceContext): Promise<number> {
  const state = await probe(env);
  await storeHealth(db, state, now);
  return state.problems.length;
}
