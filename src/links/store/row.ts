import type { RedirectRow } from "../../redirect/lookup/entry.ts";
import type { Link } from "../contract.ts";

/** A link as it is stored. */
export interface LinkRow extends RedirectRow {
  domain: string;
  slug: string;
  title: string | null;
  tags: string;
  external_id: string | null;
  /** As of the last time that somebody asked, see src/links/click-counters.ts. */
  clicks: number;
  /** 0: never. */
  last_clicked_at: number;
  created_at: number;
}

export const LINK_COLUMNS = `id, account_id, domain, slug, url, title, tags, expires_at, expired_url, max_clicks, visits,
  external_id, password_hash, ios, android, geo, rules, preview, redirect_status, clicks, last_clicked_at, created_at, updated_at`;

/** A setting as it is stored, in JSON; null where there is nothing in it, like where it was never set. */
export function toJson(value: object | null | undefined): string | null {
  return value == null || Object.keys(value).length === 0 ? null : JSON.stringify(value);
}

const TAG_BORDER = "\u001f";

/** Tags as they are stored: each between two borders, which no tag can hold. */
export function tagsToText(tags: readonly string[]): string {
  return tags.length === 0 ? "" : TAG_BORDER + tags.join(TAG_BORDER) + TAG_BORDER;
}

/** The row as the wire shows it. `baseUrl` is the service's origin; the status is that of `now`. */
export function toLink(row: LinkRow, baseUrl: string, now: number): Link {
  const base = new URL(baseUrl);
  const origin = row.domain === "" ? base.origin : `https://${row.domain}`;
  const expired =
    (row.expires_at !== null && row.expires_at <= now) || (row.max_clicks !== null && row.visits >= row.max_clicks);
  return {
    id: row.id,
    url: row.url,
    slug: row.slug,
    domain: row.domain === "" ? base.host : row.domain,
    shortUrl: `${origin}/${row.slug}`,
    title: row.title,
    tags: row.tags.split(TAG_BORDER).slice(1, -1),
    status: expired ? "expired" : "active",
    expiresAt: row.expires_at,
    expiredUrl: row.expired_url,
    maxClicks: row.max_clicks,
    hasPassword: row.password_hash !== null,
    ios: row.ios,
    android: row.android,
    geo: JSON.parse(row.geo ?? "{}") as Link["geo"],
    rules: JSON.parse(row.rules ?? "[]") as Link["rules"],
    preview: JSON.parse(row.preview ?? "null") as Link["preview"],
    redirectStatus: row.redirect_status as Link["redirectStatus"],
    externalId: row.external_id,
    clicks: row.clicks,
    lastClickedAt: row.last_clicked_at === 0 ? null : row.last_clicked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
