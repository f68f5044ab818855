import type { Permission } from "../auth/permissions.ts";
import type { ServiceContext } from "../context.ts";
import { toJsonPieces } from "../database/json-pieces.ts";
import { MAX_JOB_RECORD_BYTES } from "../limits.ts";
import type { JobFailure, JobRecord } from "./job.ts";

/** What a page of a job gets. `now` is the time of the page. */
export interface JobContext extends ServiceContext {
  principal: { accountId: number };
  jobId: string;
  startedAt: number;
  /** JSON. */
  input: string;
  /** The `position` of the page before; null: this is the first page. */
  position: unknown;
  /** The counts of the pages so far. */
  counts: Readonly<Record<string, number>>;
  records: JobRecords;
  /** In a long job, waits before this number of links is worked off, so that it does no more than `perSecond`. */
  slowDown(links: number, perSecond: number): Promise<void>;
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
  /** Ends the job with this sentence. Nothing else of the page is stored. */
  error?: string;
}

/**
 * A kind of job. A page may run again after a crash, with the same position: it must then find out what was done, and do
 * only the rest. It throws if a part of the service fails, and is repeated later. After a pause or a cancellation, the
 * result of the page that was running is stored as well; after a crash it may be lost, but not what the page saved.
 */
export interface JobKind {
  /** What the person or key needs in addition to `bulk`. */
  permissionsOf(input: string): readonly Permission[];
  /** Whether the job runs as soon as it is read. Otherwise it is `ready`, and waits. */
  startsByItself: boolean;
  /** Finds out what is to be done, and changes nothing. */
  read(context: JobContext): Promise<JobPage>;
  run(context: JobContext): Promise<JobPage>;
  /** Takes back what the pages of `run` did, also one that was lost after it saved records. */
  undo(context: JobContext): Promise<JobPage>;
}

/** The items as a record, in as many parts as needed. */
export function toRecords(list: string, number: number, items: readonly unknown[]): JobRecord[] {
  const pieces = items.length === 0 ? ["[]"] : toJsonPieces(items, MAX_JOB_RECORD_BYTES);
  return pieces.map((value, part) => ({ list, number, part, value }));
}
