import { timingSafeEqual } from "node:crypto";
import { Batch } from "../../platform/database/batch.ts";
import { addPersonEntry } from "../../access/audit/person-entry.ts";
import type { VisitorContext } from "../../access/sessions/session.ts";
import { startSession } from "../../access/sessions/start-session.ts";
import { conflict, invalidField } from "../../platform/http/errors.ts";
import { rememberOrigin } from "../../platform/installation/claimed.ts";
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
import { LATE_CLAIM_MS, MIN_SETUP_SECRET_CHARS, PROMPT_CLAIMS_PER_MINUTE, SETUP_CODE_TTL_MS } from "./limits.ts";
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
  await requireCode(context, installation, code);
  const ownOrigin = await requireOrigin(context, url, origin);
  await requireGoodPassword(context, password, { name, email, accounts: [] });
  const passwordHash = await hashPassword(env, password);

  const userId = newId(now);
  const { codeHash, codeMadeAt } = installation;
  const batch = new Batch(db);
  const claim = store.claimInstallation(batch, { userId, codeHash, codeMadeAt, origin: ownOrigin });
  const claimed = store.hasClaimed(userId);
  addUser(batch, { id: userId, email, name, passwordHash, accountUuid: newId(now), trustAt: null }, now, claimed);
  const session = await startSession(batch, context, userId, userExists(userId));
  addPersonEntry(batch, context, userId, { action: "user.sign_up", targetId: userId }, userExists(userId));
  store.addFirstOperator(batch, userId, newId(now), now);
  await batch.commitWithRetry();
  if (claim.first === undefined) throw conflict("already_claimed");
  await recordClaim(env, claim.first.at);
  if (ownOrigin !== "") rememberOrigin(ownOrigin);
  const user = await findUser(db, userId);
  if (user === null) throw conflict("already_claimed");
  log("info", "installation_claimed", { requestId: context.requestId });
  return { session, user };
}

/** Tries are slowed for all addresses together, and never refused: strangers cannot lock the owner out. */
async function awaitTurn({ env, requestId }: VisitorContext): Promise<void> {
  const tries = { name: "installation", operation: "claim", limit: PROMPT_CLAIMS_PER_MINUTE, penalties: false };
  const status = await checkRateLimit(env, { requestId, ...tries });
  if (status?.allowed !== true) await scheduler.wait(LATE_CLAIM_MS);
}

/** Throws a 400 for a wrong code, and for one that was used or is too old. */
async function requireCode(
  { env, db }: VisitorContext,
  { codeHash, codeMadeAt, codeAge }: Installation,
  code: string,
): Promise<void> {
  const expected = codeHash ?? (await hashOfSecret(env));
  const given = await hashSetupCode(code);
  if (codeMadeAt > 0 && codeAge >= SETUP_CODE_TTL_MS) await store.endCode(db, codeMadeAt);
  if (expected === null || codeAge < 0 || codeAge >= SETUP_CODE_TTL_MS) throw invalidField("code", "ended_setup_code");
  if (!isSame(given, expected)) throw invalidField("code", "wrong_setup_code");
  // D1's Time Travel may have restored a time before a claim, when this code counted.
  if (codeMadeAt <= (await lastClaim(env).lastClaimAt())) throw invalidField("code", "ended_setup_code");
}

/** The stored form of the operator's own code; null: there is none. */
async function hashOfSecret(env: Env & { SETUP_CODE?: string }): Promise<string | null> {
  const { SETUP_CODE = "" } = env;
  if (isLongEnough(SETUP_CODE)) return hashSetupCode(SETUP_CODE);
  if (SETUP_CODE !== "") log("error", "setup_code_too_short", { minChars: MIN_SETUP_SECRET_CHARS });
  return null;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  return timingSafeEqual(left, right);
}

/** The object that remembers the last claim. No restore of the database changes it. */
const lastClaim = (env: Env) => env.RATE_LIMITER.getByName("last claim");

async function recordClaim(env: Env, at: number): Promise<void> {
  try {
    await lastClaim(env).recordClaim(at);
  } catch (error) {
    // The installation is claimed all the same.
    log("error", "claim_not_recorded", describeError(error));
  }
}

/** The first label of a preview URL begins with the version of the Worker. */
const PREVIEW = /^[\da-f]{8}-.*\.workers\.dev$/;

/** Returns the origin that the installation takes, or has by its `BASE_URL`; '': it runs on this machine. */
async function requireOrigin({ env, db }: VisitorContext, url: URL, confirmed: string | undefined): Promise<string> {
  if (isLoopbackName(url.hostname)) return "";
  if (env.BASE_URL !== "") return env.BASE_URL;
  const { origin, protocol, hostname, port } = url;
  if (confirmed !== origin) throw invalidField("origin", "wrong_origin", { expected: origin });
  const isOfLinks = hostname === env.ANONYMOUS_HOST || (await store.isCustomDomain(db, hostname));
  const isUsable =
    protocol === "https:" && port === "" && !PREVIEW.test(hostname) && hostname === withoutRoot(hostname);
  if (!isUsable || isOfLinks) throw invalidField("origin", "unclaimable_origin");
  return origin;
}
