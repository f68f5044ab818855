import type { PageQuery } from "../list.ts";
import type { ErrorBody, OneOrMore, Time } from "./common.ts";

export type Device = "desktop" | "mobile" | "tablet" | "tv" | "console" | "other";
export type System = "Android" | "Chrome OS" | "iOS" | "Linux" | "macOS" | "Windows" | "other";
export type LinkStatus = "active" | "expired" | "disabled";
export type RedirectStatus = 301 | 302 | 307 | 308;

/** A short link. Times are Unix milliseconds. */
export interface Link {
  id: string;
  /** The destination. */
  url: string;
  slug: string;
  /** The host of the short URL. */
  domain: string;
  shortUrl: string;
  title: string | null;
  tags: string[];
  status: LinkStatus;
  disabled: boolean;
  /** Lists leave the link out. */
  archived: boolean;
  /** Former slugs that still lead to the link. */
  aliases: string[];
  expiresAt: number | null;
  /** The destination after the expiry. */
  expiredUrl: string | null;
  maxClicks: number | null;
  hasPassword: boolean;
  passwordAttackedAt: number | null;
  ios: string | null;
  android: string | null;
  /** Destinations by country. */
  geo: Record<string, string>;
  rules: Rule[];
  preview: Preview | null;
  redirectStatus: RedirectStatus;
  /** Your own id of the link. */
  externalId: string | null;
  /** Without crawlers. */
  clicks: number;
  importedClicks: number;
  lastClickedAt: number | null;
  createdAt: number;
  /** The version of the settings, for `ifUpdatedAt`. */
  updatedAt: number;
}

/** When a rule matches. All conditions must hold, of a list one value. */
export interface RuleConditions {
  countries?: string[];
  regions?: string[];
  languages?: string[];
  devices?: Device[];
  os?: System[];
  referrers?: string[];
  startsAt?: Time;
  endsAt?: Time;
  /** The share of the visitors, between 0 and 100. */
  percentage?: number;
}

/** A destination for some visitors. */
export interface Rule extends Omit<RuleConditions, "startsAt" | "endsAt"> {
  id: string;
  startsAt?: number;
  endsAt?: number;
  url: string;
}

export interface RuleInput extends RuleConditions {
  /** The id that the rule has in the link. */
  id?: string;
  url: string;
}

/** What social networks show. */
export interface Preview {
  title?: string | null;
  description?: string | null;
  image?: string | null;
}

/** Campaign parameters, without `utm_`. */
export interface Utm {
  source?: string;
  medium?: string;
  campaign?: string;
  term?: string;
  content?: string;
}

/** What several links can share. null clears a field. */
export interface SharedSettings {
  title?: string | null;
  /** A single tag can be a text. */
  tags?: string[] | string | null;
  disabled?: boolean | null;
  archived?: boolean | null;
  expiresAt?: Time | null;
  expiredUrl?: string | null;
  maxClicks?: number | null;
  redirectStatus?: RedirectStatus | null;
  password?: string | null;
  rules?: RuleInput[] | null;
  ios?: string | null;
  android?: string | null;
  geo?: Record<string, string> | null;
  preview?: Preview | null;
}

export interface LinkSettings extends SharedSettings {
  externalId?: string | null;
}

export interface CreateLink extends LinkSettings {
  url: string;
  /** By default random characters. */
  slug?: string;
  domain?: string;
  /** Set in the query of `url`. */
  utm?: Utm;
}

/** `externalId` or `slug` identifies the link. */
export type UpsertLink = CreateLink;

export interface UpdateLink extends LinkSettings {
  url?: string;
  slug?: string;
  /** Those that stay. */
  aliases?: string[];
  domain?: string;
  utm?: Utm;
}

export interface Shorten {
  url: string;
  /** Only with an API key. */
  slug?: string;
}

export interface ShortenedLink {
  shortUrl: string;
  link: Link;
}

/** Which links. */
export interface LinkFilter {
  search?: string;
  slug?: string;
  url?: string;
  externalId?: string;
  tag?: string[];
  /** Whether links need one of the tags or all of them. */
  tagMode?: "any" | "all";
  createdAfter?: Time;
  createdBefore?: Time;
  domain?: string;
  status?: LinkStatus;
  archived?: "exclude" | "include" | "only";
}

export interface ListLinks extends OneOrMore<LinkFilter>, PageQuery {
  sort?: "createdAt" | "clicks" | "lastClickedAt";
  order?: "asc" | "desc";
  /** Adds `count` to the page. */
  count?: boolean;
  /** Deleted links that can be restored. Without filters and an order. */
  deleted?: "only";
}

export interface ListedLink extends Link {
  /** Until when a deleted link can be restored. Only of a list of deleted ones. */
  deletesAt?: number;
}

/** The number of links on all pages, as far as it is counted. */
export interface LinkCount {
  value: number;
  isExact: boolean;
}

export interface CreateLinks {
  links: CreateLink[];
}

export interface LinkChanges extends SharedSettings {
  url?: string;
  utm?: Utm;
}

export interface UpdateLinks {
  ids: string[];
  changes: LinkChanges;
}

export interface DeleteLinks {
  ids: string[];
}

export type LinkResult = { link: Link } | ErrorBody;
export type SuccessResult = { success: true } | ErrorBody;

export interface CheckSlug {
  domain?: string;
}

/** Whether a new link can have a slug. */
export interface SlugCheck {
  slug: string;
  domain: string;
  available: boolean;
  reason: "own" | "taken" | "reserved" | "deleted" | null;
  /** The account's link that has it. */
  linkId: string | null;
  suggestion: string | null;
}

/** What a visitor can see of a link before following it. */
export interface Destination {
  shortUrl: string;
  destination: string | null;
  title: string | null;
  status: "active" | "expired";
  hasPassword: boolean;
  varies: boolean;
}

/** The app targets of a link. */
export interface LinkDeepLinks {
  linkId: string;
  ios: string | null;
  android: string | null;
}

export interface UpdateLinkDeepLinks {
  ios?: string | null;
  android?: string | null;
}
