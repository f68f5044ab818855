import { log } from "../../lib/log.ts";
import { MAX_CHANGES_HEADER_CHARS } from "../limits.ts";
import type { DomainEntry } from "./domain-entry.ts";
import { CACHE_NAME } from "./edge-cache.ts";
import type { RedirectEntry } from "./entry.ts";

// What the full Worker of a split installation tells the redirect Worker in a header of its response, so that a change is in the
// caches of the data centre of its caller. Only the redirect Worker reads the header, and it never passes it on.

export const CHANGES_HEADER = "X-Tern-Changes";

/** A link that was changed, or that was deleted or has lost the slugs. */
export interface LinkChange {
  domain: string;
  slugs: readonly string[];
  /** The present version, or the tombstone. */
  entry: RedirectEntry;
  isGone: boolean;
}

/** A domain that was verified or changed, or that was deleted or lost. */
export interface DomainChange {
  domain: string;
  /** The present version, or the tombstone. */
  entry: DomainEntry;
  isGone: boolean;
}

/** An account that was deleted or restored. */
export interface AccountChange {
  accountId: number;
  isDeleted: boolean;
}

export type CacheChange = LinkChange | DomainChange | AccountChange;

export interface ToldChange {
  change: CacheChange;
  /** The number of the database that has it (`databasesOf`). */
  database: number;
}

interface HeaderValue {
  /** The form of the entries. For minutes after a deployment, the Workers can have different ones. */
  form: string;
  changes: readonly ToldChange[];
}

/**
 * The value of the header, at most {@link MAX_CHANGES_HEADER_CHARS} long. If the changes are longer, the entries are left out, and
 * the next visitor of each link reads the database. If that is still too long, only the first changes are told.
 */
export function encodeChanges(changes: readonly ToldChange[]): string {
  const whole = toAscii(changes);
  if (whole.length <= MAX_CHANGES_HEADER_CHARS) return whole;
  const versions = changes.map(({ change, database }) => ({ change: withoutContent(change), database }));
  let told = versions.length;
  let text = toAscii(versions);
  while (text.length > MAX_CHANGES_HEADER_CHARS) {
    told = Math.floor((told * MAX_CHANGES_HEADER_CHARS) / text.length);
    text = toAscii(versions.slice(0, told));
  }
  if (told < changes.length) log("warn", "changes_not_told", { changes: changes.length - told });
  return text;
}

/** Throws if the header is too long or has entries of another form. Then the changes become visible as in other data centres. */
export function decodeChanges(header: string): readonly ToldChange[] {
  if (header.length > MAX_CHANGES_HEADER_CHARS) throw new Error(`${CHANGES_HEADER} has ${header.length} characters`);
  const { form, changes } = JSON.parse(header) as HeaderValue;
  if (form !== CACHE_NAME) throw new Error(`${CHANGES_HEADER} has entries of the form ${form}, not ${CACHE_NAME}`);
  return changes.map(({ change, database }) => ({ change: withContent(change), database }));
}

/** Headers have ASCII only. */
function toAscii(changes: readonly ToldChange[]): string {
  const value: HeaderValue = { form: CACHE_NAME, changes };
  return JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What an entry has that is kept only to refuse older versions. The header leaves it out. */
const NO_CONTENT = { bypassCache: true };
const NO_LINK = {
  ...NO_CONTENT,
  id: "",
  clickShards: null,
  location: "",
  targets: null,
  redirectStatus: 302,
  startsAt: 0,
  expiresAt: null,
  expiredLocation: null,
  passwordTag: null,
  preview: null,
  verdict: 0,
} satisfies Partial<RedirectEntry>;
const NO_DOMAIN = {
  ...NO_CONTENT,
  rootLocation: null,
  notFoundLocation: null,
  appleAppSiteAssociation: null,
  assetLinks: null,
  pathForwarding: false,
  nestedSlugs: false,
  brandName: null,
  brandLogo: null,
  brandColor: null,
} satisfies Partial<DomainEntry>;

function withoutContent(change: CacheChange): CacheChange {
  if (!("entry" in change)) return change;
  const content = new Set(Object.keys("slugs" in change ? NO_LINK : NO_DOMAIN));
  const version = Object.entries(change.entry).filter(([name]) => !content.has(name));
  return { ...change, entry: Object.fromEntries(version) } as CacheChange;
}

function withContent(change: CacheChange): CacheChange {
  if (!("entry" in change)) return change;
  if ("slugs" in change) return { ...change, entry: { ...NO_LINK, ...change.entry } };
  return { ...change, entry: { ...NO_DOMAIN, ...change.entry } };
}
