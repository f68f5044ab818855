import type { ClickFilters, ClickPeriod, ClickSelection } from "./clicks.ts";
import type { Progress } from "./common.ts";
import type { LinkChanges, LinkFilter } from "./links.ts";

type State = "running" | "paused" | "done" | "failed" | "cancelled" | "undoing" | "undone";

/** A change of many links in the background. Times are Unix milliseconds. */
export interface BulkJob {
  id: string;
  action: "update" | "delete" | "restore";
  fields: string[];
  status: "reading" | State;
  progress: Progress;
  changed: number;
  unchanged: number;
  failed: number;
  undone: number;
  notUndone: number;
  error: string | null;
  createdAt: number;
  finishedAt: number | null;
  expiresAt: number | null;
}

export interface BulkChanges extends LinkChanges {
  domain?: string;
  addTags?: string[];
  removeTags?: string[];
}

/** Either `ids` or `filter`, and one of `changes`, `delete` and `restore`. */
export interface StartBulkJob {
  ids?: string[];
  filter?: LinkFilter;
  changes?: BulkChanges;
  delete?: true;
  restore?: true;
}

export interface CursorQuery {
  /** Items of a page: 1 to 100, by default 50. */
  limit?: number;
  /** The `nextCursor` of the page before. */
  cursor?: string;
}

export type ImportSource =
  | "auto"
  | "bitly"
  | "dub"
  | "shlink"
  | "kutt"
  | "yourls"
  | "shortio"
  | "rebrandly"
  | "sink"
  | "tern"
  | "csv";

/** What a column of a file is. */
export type ImportField =
  | "url"
  | "shortUrl"
  | "slug"
  | "domain"
  | "aliasUrl"
  | "aliases"
  | "title"
  | "tags"
  | "createdAt"
  | "importedClicks"
  | "expiresAt"
  | "expiredUrl"
  | "maxClicks"
  | "archived"
  | "disabled"
  | "status"
  | "dead"
  | "password"
  | "ios"
  | "android"
  | "geo"
  | "rules"
  | "preview"
  | "previewTitle"
  | "previewDescription"
  | "previewImage"
  | "redirectStatus"
  | "externalId";

export type ImportProblemKind =
  | "invalid_url"
  | "invalid_slug"
  | "invalid"
  | "taken"
  | "repeated"
  | "differs_in_case"
  | "foreign_domain"
  | "new_tag"
  | "password"
  | "dead"
  | "alias"
  | "shortened"
  | "unreadable_time"
  | "unreadable_clicks";

export interface ImportChoices {
  /** The field of each column; null: it is not imported. */
  mapping: Record<string, ImportField | null>;
  /** Links that the old service has deleted. */
  dead: "skip" | "disable";
  /** Links whose slug is taken. */
  taken: "skip" | "rename";
  /** Whether `link.create` is emitted. */
  events: boolean;
  /** Where links of other hosts go, by host or for all. */
  domains: "default" | "skip" | Record<string, string>;
}

/** Links of a file, and how far they are imported. */
export interface Import extends ImportChoices {
  id: string;
  source: ImportSource;
  status: "reading" | "ready" | State;
  rows: number;
  columns: string[];
  hosts: { host: string; links: number; domain: string | null }[];
  sample: { line: number; cells: string[] }[];
  problems: { kind: ImportProblemKind; count: number; line: number; example: string }[];
  progress: Progress;
  created: number;
  skipped: number;
  failed: number;
  altered: number;
  undone: number;
  notUndone: number;
  error: string | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  expiresAt: number | null;
}

export type UpdateImport = Partial<ImportChoices>;

export interface UploadImport {
  /** By default it is recognised. */
  source?: ImportSource;
}

export interface QrSettings {
  /** Error correction. */
  level?: "L" | "M" | "Q" | "H";
  /** Such as `#0a3d62`. */
  foreground?: string;
  background?: string;
  /** A PNG or JPEG as a data URI. */
  logo?: string;
  /** Pixels. */
  size?: number;
  /** Modules. */
  margin?: number;
}

export interface GetLinkQrCode extends QrSettings {
  format?: "svg" | "png";
  download?: boolean;
}

export interface MakeQrCode extends GetLinkQrCode {
  content: string;
}

interface ExportedLinks extends LinkFilter {
  ids?: string[];
}

export type StartExport =
  | ({ kind: "links"; format?: "csv" | "json" } & ExportedLinks)
  | ({ kind: "clicks"; format?: "csv"; bots?: "exclude" | "include" | "only" } & ClickPeriod &
      ClickSelection &
      ClickFilters)
  | ({ kind: "qr"; format?: "svg" | "png" } & QrSettings & ExportedLinks);

/** A file with links, clicks or QR codes. */
export interface Export {
  id: string;
  kind: "links" | "clicks" | "qr";
  format: "csv" | "json" | "svg" | "png";
  status: "pending" | "running" | "done" | "failed";
  progress: Progress;
  /** Bytes. */
  size: number | null;
  error: string | null;
  createdAt: number;
  expiresAt: number;
}
