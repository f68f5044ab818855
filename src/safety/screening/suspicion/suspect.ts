import { canonicalize } from "../../../platform/lib/canonical-url.ts";
import type { Finding } from "../finding.ts";
import { hasHostAsUserName, isLookalike } from "./lookalike.ts";
import { isShortener } from "./shorteners.ts";

/** What is suspicious about a URL by its address alone; null: nothing. `ownHost`: the host of the service. */
export function suspect(url: string, ownHost: string): Finding | null {
  const canonical = canonicalize(url);
  if (canonical === null) return null;
  if (isShortener(canonical.host)) return { verdict: "warn", reason: "shortener", source: "address" };
  if (!hasHostAsUserName(url) && !isLookalike(canonical.host, ownHost)) return null;
  return { verdict: "warn", reason: "lookalike", source: "address" };
}
