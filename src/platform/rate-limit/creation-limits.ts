import { forbidden, limiterFailed, rateLimited } from "../http/errors.ts";
import { log } from "../lib/log.ts";
import { RATE_LIMIT_WINDOW_MS } from "../../limits.ts";
import {
  ANONYMOUS_BURST_LINKS,
  ANONYMOUS_LINKS_PER_NETWORK,
  CREATION_RESOLUTION_MS,
  DEFAULT_ACCOUNT_LINKS_PER_MINUTE,
  DEFAULT_ANONYMOUS_LINKS_PER_MINUTE,
  MAX_LINKS_PER_MINUTE_SETTING,
  MIN_ACCOUNT_LINKS_PER_MINUTE,
} from "./limits.ts";
import { routedNetworkName } from "./client-address.ts";
import { checkRateLimit, toSeconds, type RateLimitStatus } from "./rate-limit.ts";
import type { CallContext } from "../context.ts";

/** Without penalties: they would punish the neighbours of a network. */
const CREATION = { operation: "create links", penalties: false, resolutionMs: CREATION_RESOLUTION_MS };
/** The object that counts the links of all anonymous callers. */
const ANONYMOUS = "anonymous links";

/** Until when this isolate refuses anonymous links without asking the limiter, Unix milliseconds. */
let anonymousRefusedUntil = 0;

/** How many links an account may create in any {@link RATE_LIMIT_WINDOW_MS}. */
export function accountLinksPerMinute({ ACCOUNT_LINKS_PER_MINUTE }: Env): number {
  return (
    parseLinksPerMinute(ACCOUNT_LINKS_PER_MINUTE, MIN_ACCOUNT_LINKS_PER_MINUTE) ?? DEFAULT_ACCOUNT_LINKS_PER_MINUTE
  );
}

/** Whether links can be created without a key. */
export function allowsAnonymousLinks(env: Env): boolean {
  return anonymousLimitOf(env) > 0;
}

/**
 * Counts a call that creates a link without a key: for its network, then for the whole service. Throws 403 if the
 * operator permits none, 429 if there are too many, and 503 if the limiter fails. Returns whether the link is one of a burst:
 * its network creates more links in a {@link RATE_LIMIT_WINDOW_MS} than {@link ANONYMOUS_BURST_LINKS}.
 */
export async function countAnonymousLink(context: CallContext, headers: Headers): Promise<boolean> {
  const serviceLimit = anonymousLimitOf(context.env);
  if (serviceLimit === 0) throw forbidden("members_only");
  const network = routedNetworkName(headers);
  let isBurst = false;
  if (network !== null) {
    const limit = ANONYMOUS_LINKS_PER_NETWORK;
    const status = await countAnonymous(context, `network ${network}`, limit);
    if (!status.allowed)
      throw refused(`Your network ${network} creates too many links without an API key. ${ADVICE}`, limit, status);
    isBurst = limit - status.remaining > ANONYMOUS_BURST_LINKS;
  }
  const status = await countForService(context, serviceLimit);
  if (!status.allowed)
    throw refused(`Too many links are being created without an API key. ${ADVICE}`, serviceLimit, status);
  return isBurst;
}

/** Links that all callers without a key may create in a minute; 0: none. */
export function anonymousLimitOf({ ANONYMOUS_LINKS_PER_MINUTE }: Env): number {
  return parseLinksPerMinute(ANONYMOUS_LINKS_PER_MINUTE, 0) ?? DEFAULT_ANONYMOUS_LINKS_PER_MINUTE;
}

const ADVICE = "Use an API key, which has limits of its own.";

/** The object of the whole service is not asked again before it would accept a call, so that a flood does not overload it. */
async function countForService(context: CallContext, limit: number): Promise<RateLimitStatus> {
  const { now, requestId } = context;
  if (now < anonymousRefusedUntil)
    return { allowed: false, remaining: 0, waitSeconds: toSeconds(anonymousRefusedUntil - now) };
  const status = await countAnonymous(context, ANONYMOUS, limit);
  if (status.allowed) return status;
  const isNew = now >= anonymousRefusedUntil + RATE_LIMIT_WINDOW_MS;
  anonymousRefusedUntil = now + status.waitSeconds * 1_000;
  if (isNew) log("warn", "anonymous_links_limited", { requestId, limit });
  return status;
}

async function countAnonymous({ env, requestId }: CallContext, name: string, limit: number): Promise<RateLimitStatus> {
  return checkRateLimit(env, { requestId, ...CREATION, name, limit }, limiterFailed);
}

/** The error of a limit of created links. */
export function refused(
  message: string,
  limit: number,
  { remaining, waitSeconds }: Pick<RateLimitStatus, "remaining" | "waitSeconds">,
): Error {
  return rateLimited(message, waitSeconds, { limit, remaining });
}

/** Reads a number of links a minute; null: the text is none from `min` to the maximum, so the default counts. */
export function parseLinksPerMinute(text: string, min: number): number | null {
  const configured = text.trim() === "" ? Number.NaN : Number(text);
  const isValid = Number.isInteger(configured) && configured >= min && configured <= MAX_LINKS_PER_MINUTE_SETTING;
  return isValid ? configured : null;
}

/** For tests, which share the isolate. */
export function forgetAnonymousRefusal(): void {
  anonymousRefusedUntil = 0;
}
