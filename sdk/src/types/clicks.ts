import type { PageQuery } from "../list.ts";
import type { OneOrMore, Time } from "./common.ts";
import type { Device } from "./links.ts";

export type Trigger = "link" | "qr";

/** A single click. */
export interface ClickRecord {
  id: string;
  linkId: string;
  /** Unix milliseconds. */
  clickedAt: number;
  geo: { country: string | null; region: string | null; city: string | null; continent: string | null };
  device: Device;
  browser: string;
  os: string;
  /** A host. */
  referrer: string | null;
  /** The site of `referrer`. */
  source: string | null;
  trigger: Trigger;
  target: { kind: "default" | "ios" | "android" | "country" | "rule"; ruleId: string | null; url: string };
  utm: {
    source: string | null;
    medium: string | null;
    campaign: string | null;
    term: string | null;
    content: string | null;
  };
  /** A crawler, a link preview or a monitor. */
  bot: boolean;
}

/** Values that clicks must have, or with `!` in front must not have. */
export interface ClickFilters {
  country?: string[];
  region?: string[];
  city?: string[];
  continent?: string[];
  device?: string[];
  browser?: string[];
  os?: string[];
  referrer?: string[];
  source?: string[];
  trigger?: string[];
  target?: string[];
  utmSource?: string[];
  utmMedium?: string[];
  utmCampaign?: string[];
  utmTerm?: string[];
  utmContent?: string[];
}

export interface ClickPeriod {
  /** By default `30d`. */
  interval?: "24h" | "today" | "yesterday" | "7d" | "mtd" | "30d" | "90d" | "1y" | "all";
  /** Instead of `interval`. */
  start?: Time;
  /** Exclusive. */
  end?: Time;
  /** IANA time zone, such as `Europe/Berlin`. */
  timezone?: string;
}

/** Links of the account. */
export interface ClickSelection {
  tag?: string[];
  domain?: string;
  linkIds?: string[];
}

export interface GetLinkClicks extends ClickPeriod, OneOrMore<ClickFilters> {
  bucket?: "hour" | "day" | "month";
  compare?: "previous";
  /** The page of the values of each dimension. */
  page?: number;
}

export interface GetClicks extends GetLinkClicks, OneOrMore<ClickSelection> {}

export interface ListLinkClicks extends PageQuery, ClickPeriod, OneOrMore<ClickFilters> {
  /** Whether clicks of crawlers are listed. */
  bots?: "exclude" | "include" | "only";
}

export interface ListClicks extends ListLinkClicks, OneOrMore<ClickSelection> {}

export interface WatchClicks extends OneOrMore<ClickSelection>, OneOrMore<ClickFilters> {}

/** What a WebSocket of `clicks.watch()` sends as JSON: first when it ends, in Unix milliseconds; then new clicks. */
export type LiveMessage = { expiresAt: number } | { clicks: ClickRecord[]; total: number };

/** The part of a WebSocket that the client needs. The types of some runtimes have none. */
export interface LiveSocket {
  readonly readyState: number;
  addEventListener(type: "message", listener: (event: { readonly data: string }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  /** Only `ping`. */
  send(text: string): void;
  close(): void;
}

export interface ClickCount {
  value: string;
  clicks: number;
}

export interface ClickBucket {
  /** Unix milliseconds. */
  start: number;
  clicks: number;
  unique: number;
}

/** The totals of a period. Times are Unix milliseconds, `end` is exclusive. */
export interface ClickTotals {
  /** Without crawlers. */
  total: number;
  unique: number;
  bots: number;
  start: number;
  end: number;
  timeseries: ClickBucket[];
}

export type ClickDimension =
  | "countries"
  | "regions"
  | "cities"
  | "continents"
  | "devices"
  | "browsers"
  | "os"
  | "referrers"
  | "sources"
  | "triggers"
  | "targets"
  | "utmSources"
  | "utmMediums"
  | "utmCampaigns"
  | "utmTerms"
  | "utmContents";

/** The totals and the most frequent values of each dimension. */
export interface ClickSums extends ClickTotals, Record<ClickDimension, ClickCount[]> {
  bucket: "hour" | "day" | "month";
  /** Those with the most clicks. Only for several links. */
  links?: { value: string; clicks: number; shortUrl: string | null }[];
  /** Clicks with less frequent values. */
  others: Record<ClickDimension, number> & { links?: number };
  /** Only with `compare`. */
  previous?: ClickTotals;
}

export interface Clicks extends ClickSums {
  recent: ClickRecord[];
}

export type SharedClicks = ClickSums;

/** The clicks of a link or a tag, for everybody who has the URL. */
export interface SharedPage {
  id: string;
  linkId: string | null;
  tag: string | null;
  title: string | null;
  url: string;
  hasPassword: boolean;
  showDestination: boolean;
  passwordAttackedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface UpdateSharedPage {
  title?: string | null;
  password?: string | null;
  showDestination?: boolean | null;
}

/** Of either a link or a tag. */
export interface CreateSharedPage extends UpdateSharedPage {
  linkId?: string;
  tag?: string;
}

/** A shared page as viewers see it. */
export interface ViewedPage {
  title: string | null;
  shortUrl: string | null;
  tag: string | null;
  destination: string | null;
}

export interface EnterSharedPassword {
  password: string;
}
