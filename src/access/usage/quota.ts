import { quotaExceeded } from "../../platform/http/errors.ts";
import { DAY_MS, DELETED_LINK_KEPT_MS } from "../../limits.ts";
import type { UsageRow } from "./store.ts";

/** A quota that refuses a change. */
export interface ExceededQuota {
  name: "links" | "linkBytes";
  limit: number;
}

/** Returns the quota that further links of this number and size would exceed, or null. */
export function findExceeded(usage: UsageRow, links: number, bytes: number): ExceededQuota | null {
  if (usage.links + links > usage.max_links) return linksQuota(usage);
  return usage.link_bytes + bytes > usage.max_link_bytes ? bytesQuota(usage) : null;
}

export function linksQuota(usage: UsageRow): ExceededQuota {
  return { name: "links", limit: usage.max_links };
}

export function bytesQuota(usage: UsageRow): ExceededQuota {
  return { name: "linkBytes", limit: usage.max_link_bytes };
}

/** The error of a change that the quota refuses. */
export function toQuotaError({ name, limit }: ExceededQuota): Error {
  if (name === "links") return quotaExceeded("too_many_links", { max: limit });
  return quotaExceeded("too_many_link_bytes", { max: limit, days: DELETED_LINK_KEPT_MS / DAY_MS });
}
