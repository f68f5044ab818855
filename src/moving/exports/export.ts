import type { ExportQuery } from "../../click-log/log/exports.ts";
import type { Fault } from "../../platform/http/faults.ts";
import type { JobState, JobStatus } from "../../jobs/job.ts";
import type { ListFilter } from "../../links/list-filter.ts";
import type { QrOptions } from "../../qr/contract.ts";
import { EXPORT_TTL_MS } from "./limits.ts";

/** The links of an export. A filter; null: the ids are in the list {@link EXPORT_IDS}. */
export type ExportedLinks = ListFilter | null;

/** What an export is of. `total` is the number of its records, as far as it is known. */
export type Subject =
  /** `email` is the address of the person who starts it, with the session and when its identity was confirmed. */
  | { kind: "account"; format: "zip"; email: string; session: { id: string; confirmedAt: number } }
  | { kind: "links"; format: "csv" | "json"; links: ExportedLinks; total: number }
  | { kind: "clicks"; format: "csv"; clicks: ExportQuery; timezone: string; total: number }
  | { kind: "qr"; format: "svg" | "png"; links: ExportedLinks; style: QrOptions; domainStyle: boolean; total: number };

export type Kind = Subject["kind"];
export type Format = Subject["format"];
/** The kinds of {@link Subject} but the export of all data. */
export type FileKind = Exclude<Kind, "account">;

/** The list with one record, the ids of the exported links, the newest first. */
export const EXPORT_IDS = "ids";

/** The input of a job that exports. */
export interface ExportInput {
  subject: Subject;
  /** Where the request came from; null: unknown. */
  country: string | null;
}

export function parseInput(input: string): ExportInput {
  return JSON.parse(input) as ExportInput;
}

/** What a job says about the file that it wrote. */
export interface ExportDetails {
  /** Bytes of the file as it is downloaded. */
  size: number;
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
  fault: Fault | null;
  createdAt: number;
  expiresAt: number;
}

/** An export begins by itself, and can be neither paused, cancelled nor undone. */
const STATUSES: Partial<Record<JobStatus, ExportState["status"]>> = {
  reading: "pending",
  running: "running",
  done: "done",
};

export function toExport({ id, status, input, details, progress, error, fault, createdAt }: JobState): ExportState {
  const { kind, format } = parseInput(input).subject;
  return {
    id,
    kind,
    format,
    status: STATUSES[status] ?? "failed",
    progress,
    size: details === null ? null : (JSON.parse(details) as ExportDetails).size,
    error,
    fault,
    createdAt,
    expiresAt: createdAt + EXPORT_TTL_MS,
  };
}
