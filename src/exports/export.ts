import type { StartRefusal } from "../job-runner/start-limits.ts";
import type { ExportQuery } from "../clicks/click-log/exports.ts";
import type { ListFilter } from "../links/store/list.ts";
import type { QrOptions } from "../qr/contract.ts";

/** The links of an export: those with the ids, the newest first, or those that match the filter. */
export type ExportedLinks = { ids: readonly string[] } | { filter: ListFilter };

/** What an export is of. `total` is the number of its records, as far as it is known. */
export type Subject =
  | { kind: "account"; format: "zip" }
  | { kind: "links"; format: "csv" | "json"; links: ExportedLinks; total: number }
  | { kind: "clicks"; format: "csv"; clicks: ExportQuery; timezone: string; total: number }
  | { kind: "qr"; format: "svg" | "png"; links: ExportedLinks; style: QrOptions; total: number };

export type Kind = Subject["kind"];
export type Format = Subject["format"];
/** The kinds of {@link Subject} but the export of all data. */
export type FileKind = Exclude<Kind, "account">;

/** Who started an export. */
export type Starter = { type: "user"; id: string; email: string } | { type: "key"; id: string };

/** What an export is of, and for whom. */
export type ExportRequest = Subject & {
  accountId: number;
  starter: Starter;
  /** Where the request came from; null: unknown. */
  country: string | null;
  /** The service's origin. */
  baseUrl: string;
};

/** Where the next page of an export starts. */
export interface Position {
  /** The number of its source. */
  source: number;
  /** The last record that was read, in the form of the source; null: none yet. */
  after: unknown;
  /** The number of records of each source so far. */
  records: Record<string, number>;
}

/** An export as the API shows it. Times are Unix milliseconds. */
export interface ExportState {
  id: string;
  kind: Kind;
  format: Format;
  status: "pending" | "running" | "done" | "failed";
  progress: { done: number; total: number };
  /** Bytes of the file; null until it is complete. */
  size: number | null;
  /** Why it failed; null otherwise. */
  error: string | null;
  createdAt: number;
  expiresAt: number;
}

export type StartOutcome = { outcome: "started"; state: ExportState } | StartRefusal;

/** A part of a file. */
export interface FilePart {
  bytes: Uint8Array;
  /** Where the next part starts; null: there is none. */
  next: { entry: number; number: number } | null;
}
