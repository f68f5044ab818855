import { hasProvider, resolverUrlOf } from "./providers/providers-of.ts";
import { describeError, log } from "../../platform/lib/log.ts";
import { withTimeout } from "../../platform/lib/timeout.ts";
import type { StrangersJudgement } from "./calls.ts";
import type { Finding } from "./finding.ts";
import { JUDGEMENT_TIMEOUT_MS, MAX_SCREENED_URLS, SCREENING_TIMEOUT_MS } from "./limits.ts";

export function isScreeningOn({ SCREENING }: Env): boolean {
  return SCREENING === "on" || resolverUrlOf(SCREENING) !== null;
}

/** The one Screener of the installation. */
export function findScreener(env: Env): ReturnType<Env["SCREENER"]["getByName"]> {
  return env.SCREENER.getByName("screener");
}

/** What the rules say of URLs. */
export interface Screening {
  /** Of the URLs that are blocked. */
  findings: ReadonlyMap<string, Finding>;
  /** Of a link without an account: its visitors need not see the destination first. */
  hasPassed: boolean;
}

const NOTHING: Screening = { findings: new Map(), hasPassed: false };

/**
 * Screens the URLs of a request, `ofStranger` those of one without an account. Without screening there is no call. If the Screener
 * fails or is slow, the request goes on as if nothing was blocked.
 */
export async function screenUrls(
  env: Env,
  urls: ReadonlySet<string>,
  ofStranger: { baseUrl: string } | null = null,
): Promise<Screening> {
  if (!isScreeningOn(env)) return NOTHING;
  try {
    return await screenAll(env, urls, ofStranger && new URL(ofStranger.baseUrl).hostname);
  } catch (error) {
    log("warn", "screening_failed", describeError(error));
    return NOTHING;
  }
}

async function screenAll(env: Env, urls: ReadonlySet<string>, ownHost: string | null): Promise<Screening> {
  const found = new Map<string, Finding>();
  // No request waits for a provider, which the cron asks.
  let hasPassed = ownHost !== null && !hasProvider(env);
  for (const part of toParts(urls)) {
    const judged = await withTimeout(screenPart(env, part, ownHost), SCREENING_TIMEOUT_MS);
    addFindings(found, part, judged.findings);
    hasPassed &&= judged.hasPassed;
  }
  return { findings: found, hasPassed };
}

async function screenPart(env: Env, part: string[], ownHost: string | null): Promise<StrangersJudgement> {
  const screener = findScreener(env);
  if (ownHost !== null) return screener.screenStranger(part, ownHost);
  return { findings: await screener.screen(part), hasPassed: false };
}

/** What is wrong with URLs. */
export interface Judgements {
  findings: ReadonlyMap<string, Finding>;
  /** What counts against links without trust only. */
  suspicions: ReadonlyMap<string, Finding>;
  /** The URLs of which a provider said nothing. */
  unknown: ReadonlySet<string>;
  /** Whether there are rules to compare URLs with. */
  hasRules: boolean;
}

/** Returns what is wrong with URLs, as providers say it too. Throws if the Screener fails. */
export async function judgeUrls(
  { env, baseUrl, now }: { env: Env; baseUrl: string; now: number },
  urls: ReadonlySet<string>,
): Promise<Judgements> {
  const findings = new Map<string, Finding>();
  const suspicions = new Map<string, Finding>();
  const unknown = new Set<string>();
  let hasRules = true;
  const ownHost = new URL(baseUrl).hostname;
  for (const part of toParts(urls)) {
    const judged = await withTimeout(findScreener(env).judge(part, ownHost, now), JUDGEMENT_TIMEOUT_MS);
    addFindings(findings, part, judged.findings);
    addFindings(suspicions, part, judged.suspicions);
    for (const url of judged.unknown) unknown.add(url);
    hasRules &&= judged.hasRules;
  }
  return { findings, suspicions, unknown, hasRules };
}

function toParts(urls: ReadonlySet<string>): string[][] {
  const ofWeb = [...urls].filter((url) => /^https?:/i.test(url));
  const parts: string[][] = [];
  for (let start = 0; start < ofWeb.length; start += MAX_SCREENED_URLS)
    parts.push(ofWeb.slice(start, start + MAX_SCREENED_URLS));
  return parts;
}

function addFindings(
  found: Map<string, Finding>,
  urls: readonly string[],
  findings: readonly (Finding | null)[],
): void {
  for (const [index, finding] of findings.entries()) if (finding !== null) found.set(urls[index] as string, finding);
}
