import type { MemberPermission, Permission } from "../platform/auth/permissions.ts";
import type { Starter } from "../platform/auth/still-allowed.ts";
import type { ServiceContext } from "../platform/context.ts";
import { toJsonPieces } from "../platform/database/json-pieces.ts";
import { fault, type Fault } from "../platform/http/faults.ts";
import type { Condition } from "../platform/database/parameters.ts";
import { MAX_JOB_RECORD_BYTES } from "../limits.ts";
import type { JobFailure, JobRecord } from "./job.ts";
import type { Lane } from "./lane.ts";

/** What a page of a job gets. `now` is the time of the page. */
export interface JobContext extends ServiceContext {
  principal: { accountId: number };
  jobId: string;
  starter: Starter;
  /** Holds while the starter may go on. For transactions that must not happen otherwise. */
  isAllowed: Condition;
  createdAt: number;
  /** JSON. */
  input: string;
  /** The `position` of the page before; null: this is the first page. */
  position: unknown;
  /** The counts of the pages so far. */
  counts: Readonly<Record<string, number>>;
  records: JobRecords;
  /** In a long job, waits so that at most `perSecond` links are processed a second. */
  slowDown(links: number, perSecond: number): Promise<void>;
  /** Calls `run` once after the pages of the alarm, even if one fails. The same name replaces it. */
  afterAlarm(name: string, run: () => Promise<void>): void;
}

/** What the job has stored. */
export interface JobRecords {
  /** The items of {@link toRecords} at this place of the list; null: there is no such record. */
  readItems(list: string, number: number): unknown[] | null;
  /** The bytes of one part; null: there is none. */
  readBytes(list: string, number: number, part: number): Uint8Array | null;
  /** The number after the last one of the list; 0: the list is empty. */
  endOf(list: string): number;
  /**
   * Stores records at once, in one transaction, before the page does what they describe. Returns false if the job was
   * deleted meanwhile: the page must then change nothing.
   */
  save(records: readonly JobRecord[]): boolean;
}

/** The result of a page. All of it is stored in one transaction. */
export interface JobPage {
  /** Where the next page starts, JSON; null: this was the last page. */
  position: unknown;
  /** Items that were done. */
  done: number;
  /** Items to do, as far as it is known. Missing: as before. */
  total?: number;
  /** Added to the counts of the job. */
  counts?: Record<string, number>;
  records?: readonly JobRecord[];
  /** Records to delete. */
  forgotten?: readonly { list: string; number: number }[];
  failures?: readonly JobFailure[];
  /** JSON, for {@link JobState}. Missing: as before. */
  details?: string;
  /** Why the job ends. Nothing else of the page is stored. */
  error?: Fault;
  /** Nothing could be done, and the page runs again after this time, ms. Nothing else of the page is stored. */
  waitMs?: number;
}

/**
 * A kind of job. A page may run again after a crash, with the same position: it must then find out what was done, and do
 * only the rest. It throws if a part of the service fails, and is repeated later. After a pause, or a cancellation that can be
 * undone, the result of the page that was running is stored as well; after a crash it may be lost, but not what the page
 * saved.
 */
export interface JobKind {
  lane: Lane;
  /** What the person or key needs until the job ends. It is checked in each alarm. */
  permissionsOf(input: string): readonly (Permission | MemberPermission)[];
  /** Whether the job runs as soon as it is read. Otherwise it is `ready`, and waits. */
  startsByItself: boolean;
  /** Whether the job waits while its account is deleted, and goes on if that is restored. Otherwise it fails. */
  outlivesDeletion: boolean;
  /** Pages that one alarm runs. A page makes up to 100 calls, and an invocation may make a thousand. */
  pagesPerAlarm: number;
  /** Pause after each page, in which other calls of the isolate and of the database run, ms. */
  pauseMs: number;
  /** How long an inactive job is kept, in ms from its creation or from its end. */
  kept: { ms: number; from: "creation" | "end" };
  /** Finds out what is to be done, and changes nothing. */
  read(context: JobContext): Promise<JobPage>;
  run(context: JobContext): Promise<JobPage>;
  /**
   * Takes back what the pages of `run` did, also one that was lost after it saved records. Without it, nothing can be undone,
   * and the records of a job that failed or was cancelled are deleted.
   */
  undo?(context: JobContext): Promise<JobPage>;
}

/** The list with the file that a job received or writes, in pieces of up to {@link MAX_JOB_RECORD_BYTES}. */
export const FILE = "file";

/** The kind with the name. */
export type KindOf = (name: string) => JobKind;

/** Why a job ends whose {@link JobContext.isAllowed} does not hold. */
export const NOT_ALLOWED = fault("", "job_not_allowed");

/** The items as a record, in as many parts as needed. */
export function toRecords(list: string, number: number, items: readonly unknown[]): JobRecord[] {
  const pieces = items.length === 0 ? ["[]"] : toJsonPieces(items, MAX_JOB_RECORD_BYTES);
  return pieces.map((value, part) => ({ list, number, part, value }));
}
