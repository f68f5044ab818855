import type { Starter } from "../platform/auth/still-allowed.ts";
import type { Fault } from "../platform/http/faults.ts";

/**
 * The states of a job. `receiving`: its records are not complete. `reading`: it finds out what is to be done. `ready`: it
 * waits to be started. A `running` job does its work, and an `undoing` one takes it back.
 */
export type JobStatus =
  | "receiving"
  | "reading"
  | "ready"
  | "running"
  | "paused"
  | "done"
  | "failed"
  | "cancelled"
  | "undoing"
  | "undone";

/** An alarm works on jobs in these states. */
export const ACTIVE_STATUSES: readonly JobStatus[] = ["reading", "running", "undoing"];

/** Jobs in these states take one of the places of the account for jobs that run. */
export const PLACE_STATUSES: readonly JobStatus[] = ["receiving", ...ACTIVE_STATUSES];

export function isActive(status: JobStatus): boolean {
  return ACTIVE_STATUSES.includes(status);
}

export function takesPlace(status: JobStatus): boolean {
  return PLACE_STATUSES.includes(status);
}

export interface NewJob {
  id: string;
  /** A name of src/moving/job-kinds.ts. */
  kind: string;
  accountId: number;
  starter: Starter;
  /** The service's origin. */
  baseUrl: string;
  /** JSON in the form of the kind. It must contain no secret in plain text. */
  input: string;
  /** Whether more records follow. Otherwise the job begins at once. */
  isReceiving: boolean;
  /** Items to do, as far as it is known before the job is read. */
  total: number;
}

/** A piece of what a job stores: text of up to {@link MAX_JOB_RECORD_BYTES}, or as many bytes. */
export interface JobRecord {
  list: string;
  /** The place in the list. A record replaces all parts of the one at its place. */
  number: number;
  /** From 0, for a record that is larger than a piece. */
  part: number;
  value: string | Uint8Array;
}

/** What a job could not do. */
export interface JobFailure {
  /** The id of a link, or the number of a line. */
  subject: string;
  /** A sentence for people. */
  reason: string;
  /** What is wrong, for programs: the code of the first fault. */
  code: string;
  /** What was to be done, if nothing else has it: a line of a file. */
  row?: string;
}

export interface FailurePage {
  failures: JobFailure[];
  /** Where the next page starts; null: there is none. */
  next: number | null;
}

/** Pieces of a file that a job wrote. */
export interface FilePart {
  pieces: Uint8Array[];
  /** The last piece, after which the next ones are read; null: there are no more. */
  next: PieceKey | null;
}

/** The place of a piece in its list of records. */
export interface PieceKey {
  number: number;
  part: number;
}

/** A job as its kind shows it. Times are Unix milliseconds. */
export interface JobState {
  id: string;
  kind: string;
  status: JobStatus;
  input: string;
  /** JSON that the kind stored; null: nothing yet. */
  details: string | null;
  /** Of the last of these that began: reading, running, undoing. */
  progress: { done: number; total: number };
  /** Numbers that the kind counts, by name. */
  counts: Record<string, number>;
  /** Why it failed; null otherwise. */
  error: string | null;
  /** The same for programs. */
  fault: Fault | null;
  createdAt: number;
  /** When it was counted as a started job of the account; null: it was not yet. */
  startedAt: number | null;
  finishedAt: number | null;
  /** When the job and its undo data are deleted; null: it is active. */
  expiresAt: number | null;
}

export interface JobList {
  jobs: JobState[];
}

export type JobChange = { starter: Starter } & (
  | { action: "start" | "pause" | "resume" | "cancel" | "undo" }
  /** Reads a job that is ready anew, with another input. */
  | {
      action: "configure";
      input: string;
      /** The input that the new one was made from. The action is not possible if the job has another one. */
      from: string;
    }
);

/** Why no job can be started now. */
export type StartRefusal =
  | { outcome: "too_many_running" }
  /** `waitMs` is the time until another one may be started. */
  | { outcome: "too_many_started"; waitMs: number };

export type JobOutcome =
  | { outcome: "ok"; state: JobState }
  | { outcome: "not_found" }
  /** The action is not possible in the state. */
  | { outcome: "wrong_status"; status: JobStatus }
  | StartRefusal
  /** `waitMs` is the time until another file may be uploaded. */
  | { outcome: "too_many_uploads"; waitMs: number };
