import type { ServiceContext } from "../../../platform/context.ts";
import { toHex } from "../../../platform/lib/hash.ts";
import { isLoopbackName } from "../../../platform/lib/hosts.ts";
import { describeError, log } from "../../../platform/lib/log.ts";
import { readLimited } from "../../../platform/lib/read-limited.ts";
import { normalisePassword } from "../../../platform/lib/password.ts";
import { BREACH_LOOKUP_TIMEOUT_MS, MAX_BREACH_RANGE_BYTES } from "../limits.ts";

const PREFIX_CHARS = 5;

/**
 * Whether the password was in a breach. The range API of Have I Been Pwned gets five characters of its SHA-1, and returns
 * hundreds of hashes that begin with them. If it does not respond, the password counts as not breached.
 */
export async function isBreached({ env, baseUrl }: ServiceContext, password: string): Promise<boolean> {
  if (!isInUse(env.PASSWORD_RANGE_URL, baseUrl)) return false;
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(normalisePassword(password)));
  const hash = toHex(new Uint8Array(digest)).toUpperCase();
  try {
    const range = await readRange(`${env.PASSWORD_RANGE_URL}${hash.slice(0, PREFIX_CHARS)}`);
    return range.includes(`${hash.slice(PREFIX_CHARS)}:`) && !range.includes(`${hash.slice(PREFIX_CHARS)}:0`);
  } catch (error) {
    log("warn", "breach_lookup_failed", describeError(error));
    return false;
  }
}

/** A service on the local machine sends nothing of a password to the internet. */
function isInUse(rangeUrl: string, baseUrl: string): boolean {
  if (rangeUrl === "") return false;
  return !isLoopbackName(new URL(baseUrl).hostname) || isLoopbackName(new URL(rangeUrl).hostname);
}

async function readRange(url: string): Promise<string> {
  const signal = AbortSignal.timeout(BREACH_LOOKUP_TIMEOUT_MS);
  // With padding, the size of the response does not tell the range. Padding has the count 0.
  const response = await fetch(url, { headers: { "Add-Padding": "true" }, redirect: "manual", signal });
  if (!response.ok) throw new Error(`the range API responded with ${response.status}`);
  return new TextDecoder().decode(await readLimited(response.body, MAX_BREACH_RANGE_BYTES));
}
