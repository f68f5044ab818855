import { describeError, log } from "../../platform/lib/log.ts";
import { PASSWORD_ATTACK_GUESSES, PASSWORD_GUESSES_PER_ADDRESS } from "../../limits.ts";
import { clientName, networkName } from "../../platform/rate-limit/client-address.ts";
import { checkRateLimit, type RateLimitCheck, type RateLimitStatus } from "../../platform/rate-limit/rate-limit.ts";
import type { IncomingRequest } from "../request-url.ts";
import {
  PASSWORD_GUESSES_AT_ALL_LINKS,
  PASSWORD_GUESSES_OF_NETWORK_AT_ALL_LINKS,
  PASSWORD_GUESSES_PER_NETWORK,
} from "../limits.ts";

/**
 * Decides whether the visitor may guess at the password of the link or shared page with this id. Only wrong guesses count,
 * and only against those who share the visitor's address or network. `whenFailed` is as in {@link checkRateLimit}.
 */
export async function checkGuess<Failed extends null = null>(
  { request, requestId }: Pick<IncomingRequest, "request" | "requestId">,
  env: Env,
  id: string,
  counts: boolean,
  whenFailed?: (cause: unknown) => Failed,
): Promise<RateLimitStatus | Failed> {
  const client = clientName(request.headers);
  const network = networkName(request.headers);
  const limits: [GuessLimit, ...GuessLimit[]] = [
    { name: `password ${id} ${client}`, limit: PASSWORD_GUESSES_PER_ADDRESS },
    { name: `password ${client}`, limit: PASSWORD_GUESSES_AT_ALL_LINKS },
  ];
  // No penalties: they would punish the neighbours too.
  if (network !== null) {
    limits.push(
      { name: `password ${id} ${network}`, limit: PASSWORD_GUESSES_PER_NETWORK, ...NO_PENALTIES },
      { name: `password ${network}`, limit: PASSWORD_GUESSES_OF_NETWORK_AT_ALL_LINKS, ...NO_PENALTIES },
    );
  }
  const check = (limit: GuessLimit) =>
    checkRateLimit(env, { requestId, operation: "password", counts, ...limit }, whenFailed);
  let status = await check(limits[0]);
  for (const limit of limits.slice(1)) {
    if (status === null || !status.allowed) break;
    status = await check(limit);
  }
  return status;
}

const NO_PENALTIES = { penalties: false };

type GuessLimit = Pick<RateLimitCheck, "name" | "limit" | "penalties">;

/** A link or a shared page at whose password was guessed. */
interface Guessed {
  kind: "link" | "sharedPage";
  id: string;
  accountId: number | null;
  /** Stores the time of the attack for the owner. */
  recordAttack: () => Promise<void>;
}

/**
 * Counts a wrong guess of anyone at the password. Logs an attack, at most once in a window, and stores its time for the
 * owner. Nobody is refused for it.
 */
export async function reportAttack(requestId: string, env: Env, guessed: Guessed): Promise<void> {
  const { kind, id, accountId, recordAttack } = guessed;
  const all = { requestId, name: `password ${id}`, ...NO_PENALTIES };
  const guesses = await checkRateLimit(env, { ...all, operation: "password", limit: PASSWORD_ATTACK_GUESSES });
  if (guesses === null || guesses.allowed) return;
  const report = await checkRateLimit(env, { ...all, operation: "password attack", limit: 1 });
  if (report?.allowed !== true) return;
  log("warn", "password_attack", { requestId, [`${kind}Id`]: id, accountId });
  try {
    await recordAttack();
  } catch (error) {
    log("warn", "password_attack_not_stored", { requestId, [`${kind}Id`]: id, ...describeError(error) });
  }
}
