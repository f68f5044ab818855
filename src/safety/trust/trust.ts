import { isLoopbackName } from "../../lib/hosts.ts";
import { PROVEN_TRUST_AGE_MS } from "../limits.ts";
import { BURST_VERDICT, UNTRUSTED_VERDICT } from "../verdict.ts";

/** When it is first checked whether a new account can be trusted, Unix milliseconds; null: it is trusted from the beginning. */
export function firstTrustCheck({ baseUrl, now }: { baseUrl: string; now: number }): number | null {
  return isLoopbackName(new URL(baseUrl).hostname) ? null : now + PROVEN_TRUST_AGE_MS;
}

/** The packed verdict of a new link without an account. On the operator's own machine it redirects as any other. */
export function anonymousVerdict(baseUrl: string, isBurst: boolean): number {
  if (isLoopbackName(new URL(baseUrl).hostname)) return 0;
  return isBurst ? BURST_VERDICT : UNTRUSTED_VERDICT;
}
