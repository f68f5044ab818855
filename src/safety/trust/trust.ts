import { isLoopbackName } from "../../platform/lib/hosts.ts";
import { PROVEN_TRUST_AGE_MS } from "../limits.ts";
import { BURST_VERDICT, SCREENED_VERDICT, UNTRUSTED_VERDICT } from "../verdict.ts";

/** When it is first checked whether a new account can be trusted, Unix milliseconds; null: it is trusted from the beginning. */
export function firstTrustCheck({ baseUrl, now }: { baseUrl: string; now: number }): number | null {
  return isLoopbackName(new URL(baseUrl).hostname) ? null : now + PROVEN_TRUST_AGE_MS;
}

interface Stranger {
  baseUrl: string;
  /** Whether the link is one of many that its network creates at once. */
  isBurst: boolean;
  /** Whether screening found nothing wrong. */
  hasPassed: boolean;
}

/** The packed verdict of a new link without an account. On the operator's own machine it redirects as any other. */
export function anonymousVerdict({ baseUrl, isBurst, hasPassed }: Stranger): number {
  if (isLoopbackName(new URL(baseUrl).hostname)) return 0;
  if (isBurst) return BURST_VERDICT;
  return hasPassed ? SCREENED_VERDICT : UNTRUSTED_VERDICT;
}
