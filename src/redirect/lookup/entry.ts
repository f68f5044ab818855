import { tagOf } from "../../platform/lib/password-tag.ts";
import { compileTargets } from "../targets/compile.ts";
import type { LinkTargets } from "../targets/rules.ts";

/** What both caches need to know of an entry. */
export interface Cacheable {
  /** The version: every change makes it larger. */
  updatedAt: number;
  /** When the database was read, Unix milliseconds. */
  readAt: number;
  /**
   * Redirects must read the database: the entry is a tombstone, or its link has a limit of visits. It is kept only to
   * refuse older versions.
   */
  bypassCache: boolean;
  /** The database had no such link or domain. */
  isTombstone?: true;
}

/** A link as a redirect needs it, and as both caches hold it. */
export interface RedirectEntry extends Cacheable, LinkTargets {
  id: string;
  /** Null: an anonymous link. */
  accountId: number | null;
  /** Whether the domain of the link is case-sensitive. */
  caseSensitive: boolean;
  redirectStatus: 301 | 302 | 307 | 308;
  /** Whether its destinations get the visitor's parameters. */
  passParameters: boolean;
  /** Unix milliseconds; 0: the link has begun. */
  startsAt: number;
  /** Unix milliseconds; 0: the link is disabled. */
  expiresAt: number | null;
  /** Where visitors go after the link has expired, in the form of `location`. */
  expiredLocation: string | null;
  /** Set if the link has a password. It changes with the password and does not help to guess it. */
  passwordTag: string | null;
  /** What link previews show: the JSON of the link's setting. */
  preview: string | null;
  /** A packed verdict (src/redirect/verdict.ts). 0: nothing keeps visitors from the destination. */
  verdict: number;
}

/** The columns that an entry is made from. */
export interface RedirectRow {
  id: string;
  account_id: number | null;
  case_sensitive: 0 | 1;
  url: string;
  redirect_status: number;
  pass_parameters: 0 | 1;
  disabled: 0 | 1;
  starts_at: number | null;
  expires_at: number | null;
  expired_url: string | null;
  max_clicks: number | null;
  visits: number;
  password_hash: string | null;
  ios: string | null;
  android: string | null;
  /** JSON. */
  geo: string | null;
  /** JSON. */
  rules: string | null;
  /** JSON. */
  preview: string | null;
  /** Packed (src/redirect/verdict.ts). */
  verdict: number;
  updated_at: number;
}

export function toEntry(row: RedirectRow, readAt: number): RedirectEntry {
  return {
    id: row.id,
    accountId: row.account_id,
    caseSensitive: row.case_sensitive === 1,
    updatedAt: row.updated_at,
    location: new URL(row.url).href,
    redirectStatus: row.redirect_status as RedirectEntry["redirectStatus"],
    passParameters: row.pass_parameters === 1,
    startsAt: row.disabled === 1 ? 0 : (row.starts_at ?? 0),
    expiresAt: row.disabled === 1 ? 0 : row.expires_at,
    expiredLocation: row.expired_url === null ? null : new URL(row.expired_url).href,
    targets: compileTargets(row),
    passwordTag: row.password_hash === null ? null : tagOf(row.password_hash),
    preview: row.preview,
    verdict: row.verdict,
    bypassCache: row.max_clicks !== null,
    readAt,
  };
}

/**
 * The tombstone of a deleted link. A read that began before the deletion cannot bring the link back. Its targets are left
 * out: they can be most of its size, and nobody is sent there.
 */
export function toTombstone(row: RedirectRow, deletedAt: number): RedirectEntry {
  const bare = { ...row, ios: null, android: null, geo: null, rules: null, preview: null };
  return { ...toEntry(bare, deletedAt), ...toTombstoneVersion(row, deletedAt) };
}

export function toTombstoneVersion({ updated_at }: { updated_at: number }, removedAt: number) {
  return { updatedAt: Math.max(removedAt, updated_at + 1), bypassCache: true, isTombstone: true as const };
}

/** The tombstone of an entry that the database no longer has. A replica may still have it. */
export function toMissing<E extends Cacheable>(known: E, readAt: number): E {
  return { ...known, updatedAt: known.updatedAt + 1, bypassCache: true, isTombstone: true, readAt };
}

/**
 * Whether `entry` may replace `current`. Of one version the later read wins. Otherwise `current` must not be newer than
 * `knownVersion`, the newest version that was known when `entry` was read. The database's response replaces that one.
 */
export function canReplace(entry: Cacheable, current: Cacheable, knownVersion = entry.updatedAt): boolean {
  if (current.updatedAt === entry.updatedAt) return entry.readAt >= current.readAt;
  return current.updatedAt <= knownVersion;
}
