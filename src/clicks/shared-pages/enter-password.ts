import { limiterFailed, notResponding, rateLimited, wrongPassword } from "../../platform/http/errors.ts";
import { fault } from "../../platform/http/faults.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { isPassword, rehashPassword } from "../../platform/lib/password.ts";
import { tagOf } from "../../platform/lib/password-tag.ts";
import { checkGuess, reportAttack } from "../../redirect/password/guess-limits.ts";
import { createPasswordCookie } from "../../redirect/password/password-cookie.ts";
import { recordPasswordAttack, replaceSecret } from "./store/viewed-page.ts";
import { findPage } from "./view.ts";
import type { CallContext } from "../../platform/context.ts";

/**
 * Checks the password that a viewer entered, under the limits for guesses at the passwords of links. Returns the value of
 * `Set-Cookie` for the page, or null if the page has no password. Throws 403 if the password is wrong.
 */
export async function enterPassword(
  context: CallContext,
  request: Request,
  token: string,
  password: string,
): Promise<string | null> {
  const { env, db, now, requestId, waitUntil } = context;
  const { id, account_id: accountId, password_hash: hash } = await findPage(context, token);
  if (hash === null) return null;
  await requireGuess(context, request, id, false);
  const isRight = await compare(context, id, password, hash);
  // Asked again for a right guess too: of many concurrent guesses, only those within the limits may learn the result.
  await requireGuess(context, request, id, !isRight);
  if (!isRight) {
    const recordAttack = () => recordPasswordAttack(db, id, hash, now);
    waitUntil(reportAttack(requestId, env, { kind: "sharedPage", id, accountId, recordAttack }));
    throw wrongPassword("That is not the password. Check it, including upper and lower case, and try again.");
  }
  waitUntil(useFirstKey(context, id, password, hash));
  const page = { id, passwordTag: tagOf(hash) };
  // Browsers send the cookie to the paths below this one too.
  return createPasswordCookie(env, request, `/api/shared/${token}`, page, now);
}

/** Throws 429 unless the viewer may guess. With `counts`, the guess counts against the limits. */
async function requireGuess(
  { env, requestId }: CallContext,
  request: Request,
  id: string,
  counts: boolean,
): Promise<void> {
  const status = await checkGuess({ request, requestId }, env, id, counts, limiterFailed);
  if (status.allowed) return;
  const { waitSeconds } = status;
  throw rateLimited(fault("", "too_many_attempts"), waitSeconds);
}

async function compare({ env, requestId }: CallContext, id: string, password: string, hash: string): Promise<boolean> {
  try {
    return await isPassword(env.ENCRYPTION_KEYS, id, password, hash);
  } catch (error) {
    log("error", "password_key_missing", { requestId, sharedPageId: id, ...describeError(error) });
    throw notResponding("The password cannot be checked now. Try again later.");
  }
}

/** Stores a password that was made with an older key under the first key. Its tag stays, and so cookies stay valid. */
async function useFirstKey(
  { env, db, requestId }: CallContext,
  id: string,
  password: string,
  hash: string,
): Promise<void> {
  try {
    const rehashed = await rehashPassword(env.ENCRYPTION_KEYS, id, password, hash);
    if (rehashed !== null) await replaceSecret(db, id, "password_hash", hash, rehashed);
  } catch (error) {
    log("warn", "password_rehash_failed", { requestId, sharedPageId: id, ...describeError(error) });
  }
}
