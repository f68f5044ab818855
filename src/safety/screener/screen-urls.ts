import { describeError, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import type { Finding } from "./finding.ts";
import { MAX_SCREENED_URLS, SCREENING_TIMEOUT_MS } from "./limits.ts";

export function isScreeningOn(env: Env): boolean {
  return env.SCREENING === "on";
}

/** The methods of the one Screener of the installation. */
export function findScreener(env: Env): ReturnType<ReturnType<Env["SCREENER"]["getByName"]>["open"]> {
  return env.SCREENER.getByName("screener").open();
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

/** As {@link screenUrls} where screening is on, but throws if the Screener fails or is slow. */
export async function screenAll(env: Env, urls: ReadonlySet<string>): Promise<ReadonlyMap<string, Finding>> {
  const ofWeb = [...urls].filter((url) => /^https?:/i.test(url));
  const found = new Map<string, Finding>();
  for (let start = 0; start < ofWeb.length; start += MAX_SCREENED_URLS) {
    const part = ofWeb.slice(start, start + MAX_SCREENED_URLS);
    const findings = await withTimeout(findScreener(env).screen(part), SCREENING_TIMEOUT_MS);
    for (const [index, finding] of findings.entries()) if (finding !== null) found.set(part[index] as string, finding);
  }
  return found;
}
