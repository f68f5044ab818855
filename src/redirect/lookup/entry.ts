import { tagOf } from "../../lib/password.ts";
import { compileTargets } from "../targets/compile.ts";
import type { Targets } from "../targets/rules.ts";

/** What memory and cache need to know of whatever they keep. */
export interface Cacheable {
  /** Grows with every change: of two versions of one thing the larger is the newer. */
  updatedAt: number;
  /** When the database was read, Unix milliseconds. */
  readAt: number;
  /** Gone, or a link limited in its visits: memory and cache must not answer, the database is asked. */
  askDatabase: boolean;
}

/** What a redirect needs to know of a link: the form kept in memory and in the cache. */
export interface RedirectEntry extends Cacheable {
  id: string;
  /** Null: it belongs to nobody. */
  accountId: number | null;
  /** The destination as a header can hold it: percent-encoded, internationalised names in Punycode. */
  location: string;
  redirectStatus: 301 | 302 | 307 | 308;
  expiresAt: number | null;
  /** Where visitors go once the link has expired, in the form of `location`. */
  expiredLocation: string | null;
  /** Where some visitors go instead; null where all go to `location`. */
  targets: Targets | null;
  /** Visitors are asked for a password; another one has another tag, which says nothing of it. */
  passwordTag: string | null;
  /** What link previews show: the JSON of the link's setting. */
  preview: string | null;
}

/** The columns behind an entry. */
export interface RedirectRow {
  id: string;
  account_id: number | null;
  url: string;
  redirect_status: number;
  expires_at: number | null;
  expired_url: string | null;
  max_clicks: number | null;
  visits: number;
  password_hash: string | null;
  ios: string | null;
  android: string | null;
  /** JSON, like the two after it. */
  geo: string | null;
  rules: string | null;
  preview: string | null;
  updated_at: number;
}

export function toEntry(row: RedirectRow, readAt: number): RedirectEntry {
  return {
    id: row.id,
    accountId: row.account_id,
    updatedAt: row.updated_at,
    location: new URL(row.url).href,
    redirectStatus: row.redirect_status as RedirectEntry["redirectStatus"],
    expiresAt: row.expires_at,
    expiredLocation: row.expired_url === null ? null : new URL(row.expired_url).href,
    targets: compileTargets(row),
    passwordTag: row.password_hash === null ? null : tagOf(row.password_hash),
    preview: row.preview,
    askDatabase: row.max_clicks !== null,
    readAt,
  };
}

/** In place of a deleted link: keeps a read that began before the deletion from bringing it back. */
export function toTombstone(row: RedirectRow, deletedAt: number): RedirectEntry {
  return { ...toEntry(row, deletedAt), updatedAt: Math.max(deletedAt, row.updated_at + 1), askDatabase: true };
}

/** In place of what the database no longer has, for the same reason: a replica may still have it. */
export function toMissing<E extends Cacheable>(known: E, readAt: number): E {
  return { ...known, updatedAt: known.updatedAt + 1, askDatabase: true, readAt };
}

/**
 * Whether `entry` may take the place of `known`. It may unless that is a newer version than any that its
 * reader could know of: `asOf` is the newest `updatedAt` that it is an answer to, at least its own.
 */
export function supersedes(entry: Cacheable, known: Cacheable, asOf = entry.updatedAt): boolean {
  if (known.updatedAt === entry.updatedAt) return entry.readAt >= known.readAt;
  return known.updatedAt <= asOf;
}
