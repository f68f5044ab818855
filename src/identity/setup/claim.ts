import { timingSafeEqual } from "node:crypto";
import { Batch } from "../../platform/database/batch.ts";
import { addPersonEntry } from "../../access/audit/person-entry.ts";
import type { VisitorContext } from "../../access/sessions/session.ts";
import { startSession } from "../../access/sessions/start-session.ts";
import { conflict, invalidField, limiterFailed } from "../../platform/http/errors.ts";
import { readInstallation, type Installation } from "../../platform/installation/store.ts";
import { isLoopbackName, withoutRoot } from "../../platform/lib/hosts.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { newId } from "../../platform/lib/uuid.ts";
import { checkRateLimit } from "../../platform/rate-limit/rate-limit.ts";
import { requireGoodPassword } from "../people/password-strength/require-good-password.ts";
import { hashPassword } from "../people/password-hashing/hasher-stub.ts";
import type { NewSignIn, SignUp } from "../people/sign-up/sign-up.ts";
import { addUser, findUser, userExists } from "../people/users/store.ts";
import { hashSetupCode, isLongEnough } from "./code.ts";
import { LATE_CLAIM_MS, PROMPT_CLAIMS_PER_MINUTE, SETUP_CODE_TTL_MS } from "./limits.ts";
import * as store from "./store.ts";

interface Claim extends SignUp {
  code: string;
  origin?: string | undefined;
}

/**
 * Makes the first person of the installation, who owns the first account and is an operator of the service, and signs in.
 * Of several claims at once, one succeeds: all is made in one transaction. `url` is that of the request.
 */
export async function claimInstallation(
  context: VisitorContext,
  { code, email, name, password, origin }: Claim,
  url: URL,
): Promise<NewSignIn> {
  const { env, db, now } = context;
  const installation = await readInstallation(db);
  if (installation.isClaimed) throw conflict("already_claimed");
  await awaitTurn(context);
  const hash = await requireCode(context, installation, code);
  const ownOrigin = await requireOrigin(context, url, origin);
  await requireGoodPassword(context, password, { name, email, accounts: [] });
  const passwordHash = await hashPassword(env, password);

  const userId = newId(now);
  const { codeHash, codeMadeAt } = installation;
  const batch = new Batch(db);
  store.claimInstallation(batch, { userId, codeHash, codeMadeAt, origin: ownOrigin }, now);
  const claimed = store.hasClaimed(userId);
  addUser(batch, { id: userId, email, name, passwordHash, accountUuid: newId(now), trustAt: null }, now, claimed);
  const session = await startSession(batch, context, userId, userExists(userId));
  addPersonEntry(batch, context, userId, { action: "user.sign_up", targetId: userId }, userExists(userId));
  store.addFirstOperator(batch, userId, newId(now), now);
  await batch.commitWithRetry();
  const user = await findUser(db, userId);
  if (user === null) throw conflict("already_claimed");
  await useUp(env, hash);
  log("info", "installation_claimed", { requestId: context.requestId });
  return { session, user };
}

/** Tries are slowed for all addresses together, and never refused: strangers cannot lock the owner out. */
async function awaitTurn({ env, requestId }: VisitorContext): Promise<void> {
  const tries = { name: "installation", operation: "claim", limit: PROMPT_CLAIMS_PER_MINUTE, penalties: false };
  const status = await checkRateLimit(env, { requestId, ...tries }, limiterFailed);
  if (!status.allowed) await scheduler.wait(LATE_CLAIM_MS);
}

/** Returns the stored form of the code. Throws a 400 for a wrong one, and for one that was used or is too old. */
async function requireCode(
  { env, db, now }: VisitorContext,
  { codeHash, codeMadeAt }: Installation,
  code: string,
): Promise<string> {
  const { SETUP_CODE = "" } = env as Env & { SETUP_CODE?: string };
  const expected = codeHash ?? (isLongEnough(SETUP_CODE) ? await hashSetupCode(SETUP_CODE) : null);
  const given = await hashSetupCode(code);
  if (now >= codeMadeAt + SETUP_CODE_TTL_MS) await store.endCode(db, now - SETUP_CODE_TTL_MS);
  const counts = codeMadeAt <= now && now < codeMadeAt + SETUP_CODE_TTL_MS;
  if (expected === null || !counts) throw invalidField("code", "ended_setup_code");
  if (!isSame(given, expected)) throw invalidField("code", "wrong_setup_code");
  if (await codeObject(env, given).isUsedUp()) throw invalidField("code", "ended_setup_code");
  return given;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  return timingSafeEqual(left, right);
}

/** The database may be restored to a time before the claim. The object is not, so the code counts no second time. */
const codeObject = (env: Env, hash: string) => env.RATE_LIMITER.getByName(`setup code ${hash}`);

async function useUp(env: Env, hash: string): Promise<void> {
  try {
    await codeObject(env, hash).useUp();
  } catch (error) {
    // The installation is claimed all the same.
    log("error", "setup_code_not_used_up", describeError(error));
  }
}

/** The first label of a preview URL begins with the version of the Worker. */
const PREVIEW = /^[\da-f]{8}-.*\.workers\.dev$/;

/** Returns the origin that the installation takes; '': it has a `BASE_URL`, or runs on this machine. */
async function requireOrigin({ env, db }: VisitorContext, url: URL, confirmed: string | undefined): Promise<string> {
  if (env.BASE_URL !== "" || isLoopbackName(url.hostname)) return "";
  const { origin, protocol, hostname } = url;
  if (confirmed !== origin) throw invalidField("origin", "wrong_origin", { expected: origin });
  const isUsable = protocol === "https:" && !PREVIEW.test(hostname) && hostname === withoutRoot(hostname);
  if (!isUsable || (await store.isCustomDomain(db, hostname))) throw invalidField("origin", "unclaimable_origin");
  return origin;
}
