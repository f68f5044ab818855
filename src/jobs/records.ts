import type { FailurePage, FilePart, JobFailure, JobRecord, PieceKey } from "./job.ts";
import { FILE, type JobRecords } from "./kind.ts";
import { JOB_READ_BYTES } from "./limits.ts";
import * as store from "./store/records.ts";
import { findJob } from "./store/jobs.ts";
import { hasTables } from "./store/tables.ts";

/** The list of what a job could not do. */
export const FAILURES = "failures";

/** The records of a job, for the pages of its kind. */
export function recordsOf(storage: DurableObjectStorage, jobId: string): JobRecords {
  const { sql } = storage;
  return {
    readItems: (list, number) => readItems(sql, jobId, list, number),
    readBytes(list, number, part) {
      const value = store.readPart(sql, jobId, list, number, part);
      return value === null || typeof value === "string" ? null : new Uint8Array(value);
    },
    endOf: (list) => store.endOf(sql, jobId, list),
    save(records: readonly JobRecord[]) {
      if (!hasTables(sql) || findJob(sql, jobId) === null) return false;
      storage.transactionSync(() => store.putRecords(sql, jobId, records));
      return true;
    },
  };
}

/** The failures of the record at `from`, or of the first one after it. */
export function readFailures(sql: SqlStorage, jobId: string, from: number): FailurePage {
  const number = store.nextNumber(sql, jobId, FAILURES, from);
  if (number === null) return { failures: [], next: null };
  const failures = (readItems(sql, jobId, FAILURES, number) ?? []) as JobFailure[];
  return { failures, next: store.nextNumber(sql, jobId, FAILURES, number + 1) };
}

/** The pieces of a file after `after`, as many as fit into {@link JOB_READ_BYTES}, but at least one. null: its beginning. */
export function readFile(sql: SqlStorage, jobId: string, after: PieceKey | null): FilePart {
  const pieces: Uint8Array[] = [];
  let [length, last] = [0, after ?? { number: -1, part: 0 }];
  for (const { bytes, ...key } of store.readPieces(sql, jobId, FILE, last)) {
    length += bytes.byteLength;
    if (pieces.length > 0 && length > JOB_READ_BYTES) return { pieces, next: last };
    pieces.push(bytes);
    last = key;
  }
  return { pieces, next: null };
}

function readItems(sql: SqlStorage, jobId: string, list: string, number: number): unknown[] | null {
  const parts = store.readParts(sql, jobId, list, number);
  return parts.length === 0 ? null : parts.flatMap((part) => JSON.parse(part as string) as unknown[]);
}
