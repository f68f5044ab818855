import type { FailurePage, JobFailure, JobRecord } from "./job.ts";
import type { JobRecords } from "./kind.ts";
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

function readItems(sql: SqlStorage, jobId: string, list: string, number: number): unknown[] | null {
  const parts = store.readParts(sql, jobId, list, number);
  return parts.length === 0 ? null : parts.flatMap((part) => JSON.parse(part as string) as unknown[]);
}
