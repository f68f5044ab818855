import { resolverUrlOf } from "./providers/providers-of.ts";
import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import type { Finding } from "./finding.ts";
import { JUDGEMENT_TIMEOUT_MS, MAX_SCREENED_URLS, SCREENING_TIMEOUT_MS } from "./limits.ts";

export function isScreeningOn({ SCREENING }: Env): boolean {
  return SCREENING === "on" || resolverUrlOf(SCREENING) !== null;
}

/** The one Screener of the installation. */
export function findScreener(env: Env): ReturnType<Env["SCREENER"]["getByName"]> {
  return env.SCREENER.getByName("screener");
}

const NONE: ReadonlyMap<string, Finding> = new Map();

/**
 * Returns the URLs that are blocked. Without screening there is no call. If the Screener fails or is slow, the request goes on as
 * if nothing was blocked.
 */
export async function screenUrls(env: Env, urls: ReadonlySet<string>): Promise<ReadonlyMap<string, Finding>> {
  if (!isScreeningOn(env)) return NONE;
  try {
    return await screenAll(env, urls);
  } catch (error) {
    log("warn", "screening_failed", describeError(error));
    return NONE;
  }
}

async function screenAll(env: Env, urls: ReadonlySet<string>): Promise<ReadonlyMap<string, Finding>> {
  const found = new Map<string, Finding>();
  for (const part of toParts(urls)) {
    const findings = await withTimeout(findScreener(env).screen(part), SCREENING_TIMEOUT_MS);
    addFindings(found, part, findings);
  }
  return found;
}

/** What is wrong with URLs. */
export interface Judgements {
  findings: ReadonlyMap<string, Finding>;
  /** What counts against links without trust only. */
  suspicions: ReadonlyMap<string, Finding>;
  /** The URLs of which a provider said nothing. */
  unknown: ReadonlySet<string>;
}

/** Returns what is wrong with URLs, as providers say it too. Throws if the Screener fails. */
export async function judgeUrls(
  { env, baseUrl, now }: { env: Env; baseUrl: string; now: number },
  urls: ReadonlySet<string>,
): Promise<Judgements> {
  const findings = new Map<string, Finding>();
  const suspicions = new Map<string, Finding>();
  const unknown = new Set<string>();
  const ownHost = new URL(baseUrl).hostname;
  for (const part of toParts(urls)) {
    const judged = await withTimeout(findScreener(env).judge(part, ownHost, now), JUDGEMENT_TIMEOUT_MS);
    addFindings(findings, part, judged.findings);
    addFindings(suspicions, part, judged.suspicions);
    for (const url of judged.unknown) unknown.add(url);
  }
  return { findings, suspicions, unknown };
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
