import type { StartRefusal } from "../background/start-limits.ts";

/** What an export is of, and for whom. */
export interface ExportRequest {
  kind: "account";
  accountId: number;
  /** Who started it. */
  user: { id: string; email: string };
  /** Where the request came from; null: unknown. */
  country: string | null;
  /** The service's origin. */
  baseUrl: string;
}

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
