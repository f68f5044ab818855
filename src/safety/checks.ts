import { because, type Because } from "../platform/http/faults.ts";
import { isLoopbackName } from "../platform/lib/hosts.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { BURST_VERDICT, SCREENED_VERDICT, UNTRUSTED_VERDICT } from "../redirect/verdict.ts";
import type { Checks } from "../links/checks.ts";
import { NESTED } from "./screening/finding.ts";
import { MAX_NESTED_DEPTH, MAX_NESTED_HOSTS, MAX_NESTED_URLS } from "./screening/limits.ts";
import { findScreener, isScreeningOn, screenUrls } from "./screening/screen-urls.ts";
import { PROVEN_TRUST_AGE_MS } from "./trust/limits.ts";

/** What this wing says of new links and accounts. */
export const CHECKS: Checks = {
  async screen(env, urls, ofStranger) {
    const { findings, hasPassed } = await screenUrls(env, urls, ofStranger);
    const blocked = new Map<string, Because>();
    for (const [url, { reason, source }] of findings)
      blocked.set(url, source === NESTED ? TOO_MANY_NESTED : because("blocked", { reason }));
    return { blocked, hasPassed };
  },

  async watch(env, linkIds, now) {
    if (!isScreeningOn(env)) return;
    try {
      await findScreener(env).watch([...linkIds], now);
    } catch (error) {
      log("warn", "links_not_watched", { links: linkIds.length, ...describeError(error) });
    }
  },

  // On the operator's own machine, links redirect as any others and accounts are trusted.
  verdictOfStranger({ baseUrl, isBurst, hasPassed }) {
    if (isLoopbackName(new URL(baseUrl).hostname)) return 0;
    if (isBurst) return BURST_VERDICT;
    return hasPassed ? SCREENED_VERDICT : UNTRUSTED_VERDICT;
  },

  firstTrustCheck: ({ baseUrl, now }) => (isLoopbackName(new URL(baseUrl).hostname) ? null : now + PROVEN_TRUST_AGE_MS),
};

const TOO_MANY_NESTED = because("too_many_nested_urls", {
  max: MAX_NESTED_URLS,
  maxHosts: MAX_NESTED_HOSTS,
  maxDepth: MAX_NESTED_DEPTH,
});
