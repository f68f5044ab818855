import { describeError, log } from "../../lib/log.ts";
import {
  PASSWORD_ATTACK_GUESSES,
  PASSWORD_GUESSES_AT_ALL_LINKS,
  PASSWORD_GUESSES_OF_NETWORK_AT_ALL_LINKS,
  PASSWORD_GUESSES_PER_ADDRESS,
  PASSWORD_GUESSES_PER_NETWORK,
} from "../../limits.ts";
import { clientName, networkName } from "../../rate-limit/client.ts";
import { checkRateLimit, type RateLimitStatus } from "../../rate-limit/rate-limit.ts";
import { recordPasswordAttack } from "../lookup/store.ts";
import type { IncomingRequest } from "../request-url.ts";

/**
 * Decides whether the visitor may guess at the link's password. Only wrong guesses count, and only against those who
 * share the visitor's address or network. Returns null if the rate limiter failed.
 */
export async function checkGuess(
  { request, requestId }: IncomingRequest,
  env: Env,
  linkId: string,
  counts: boolean,
): Promise<RateLimitStatus | null> {
  const client = clientName(request.headers);
  const network = networkName(request.headers);
  const limits = [
    { name: `password ${linkId} ${client}`, limit: PASSWORD_GUESSES_PER_ADDRESS },
    { name: `password ${client}`, limit: PASSWORD_GUESSES_AT_ALL_LINKS },
  ];
  // No penalties: they would punish the neighbours too.
  if (network !== null) {
    limits.push(
      { name: `password ${linkId} ${network}`, limit: PASSWORD_GUESSES_PER_NETWORK, ...NO_PENALTIES },
      { name: `password ${network}`, limit: PASSWORD_GUESSES_OF_NETWORK_AT_ALL_LINKS, ...NO_PENALTIES },
    );
  }
  let status: RateLimitStatus | null = null;
  for (const limit of limits) {
    status = await checkRateLimit(env, { requestId, operation: "password", counts, ...limit });
    if (status === null || !status.allowed) break;
  }
  return status;
}

const NO_PENALTIES = { penalties: false };

/** A link and its present password, as it is stored. */
interface GuessedLink {
  id: string;
  accountId: number | null;
  hash: string;
}

/**
 * Counts a wrong guess of anyone at the link. Logs an attack, at most once in a window, and stores its time for the owner
 * of the link. Nobody is refused for it.
 */
export async function reportAttack(
  requestId: string,
  env: Env,
  { id, accountId, hash }: GuessedLink,
  now: number,
): Promise<void> {
  const link = { requestId, name: `password ${id}`, ...NO_PENALTIES };
  const guesses = await checkRateLimit(env, { ...link, operation: "password", limit: PASSWORD_ATTACK_GUESSES });
  if (guesses === null || guesses.allowed) return;
  const report = await checkRateLimit(env, { ...link, operation: "password attack", limit: 1 });
  if (report?.allowed !== true) return;
  log("warn", "password_attack", { requestId, linkId: id, accountId });
  try {
    await recordPasswordAttack(env.DB, id, hash, now);
  } catch (error) {
    log("warn", "password_attack_not_stored", { requestId, linkId: id, ...describeError(error) });
  }
}
