import type { Fault } from "../../platform/http/faults.ts";
import { FileError } from "./formats/file.ts";
import type { RawRow } from "./formats/import-row.ts";
import type { JobContext, JobRecords } from "../../jobs/kind.ts";
import type { FileSummary } from "./input.ts";

/** The lists of records of an import. */

/** The rows of the file, in pages. */
export const ROWS = "rows";
/** One record with the {@link FileSummary}. */
export const SUMMARY = "summary";
/** For each page of rows, the short URLs that its links will have. */
export const SHORT_URLS = "short-urls";
/** For each page of rows, its tags that the account does not have. */
export const NEW_TAGS = "new-tags";
/** The links that are about to be created: the time, and then pairs of line and id. */
export const PLANS = "plans";

export function readSummary(records: JobRecords): FileSummary | null {
  return (records.readItems(SUMMARY, 0)?.[0] ?? null) as FileSummary | null;
}

export function requireSummary({ records }: JobContext): FileSummary {
  const summary = readSummary(records);
  if (summary === null) throw new Error("the import has no rows");
  return summary;
}

export function readPage(records: JobRecords, page: number): RawRow[] {
  return (records.readItems(ROWS, page) ?? []) as RawRow[];
}

/** The fault of the file, if it is the reason; other errors are thrown. */
export function explain(error: unknown): Fault {
  if (error instanceof FileError) return error.fault;
  throw error;
}
