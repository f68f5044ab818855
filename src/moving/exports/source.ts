import type { AccountContext } from "../../platform/context.ts";
import type { Fault } from "../../platform/http/faults.ts";
import type { JobContext } from "../../jobs/kind.ts";
import type { CsvColumns } from "../../platform/lib/csv.ts";

/** What a source needs to read its records. Records that were created after the job, `createdAt`, are not exported. */
export type SourceContext = AccountContext & Pick<JobContext, "jobId" | "createdAt" | "records">;

export interface SourcePage<T> {
  records: T[];
  /** Where the next page starts, a JSON value; null: this is the last page. */
  next: unknown;
  /** Until the source can be read, ms; the page is then empty. 0: this is the page. */
  waitMs: number;
  /** Why the export ends: a record cannot be exported as it was asked for. */
  error?: Fault;
}

/** Records of one kind. */
export interface Source<T> {
  name: string;
  /** Reads the page after `after`, the `next` of the page before it. Reading a page again returns the same or newer records. */
  read: (context: SourceContext, after: unknown) => Promise<SourcePage<T>>;
  /** Lets others read the source. Called after each alarm that has read it. */
  release?: (context: SourceContext) => Promise<void>;
}

/** Records that can be written as a table. */
export interface TableSource<T> extends Source<T> {
  columns: CsvColumns<T>;
}

/** The page of up to `size` records of a list that has one item more than the page. */
export function toPage<Row, T>(
  rows: readonly Row[],
  size: number,
  idOf: (row: Row) => string,
  toRecord: (row: Row) => T,
): SourcePage<T> {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  const next = rows.length > page.length && last !== undefined ? idOf(last) : null;
  return { records: page.map(toRecord), next, waitMs: 0 };
}

/** Columns with the names of the fields. Times are in ISO 8601; lists and objects are JSON. */
export function fieldColumns<T extends object>(names: readonly string[]): CsvColumns<T> {
  return Object.fromEntries(
    names.map((name) => [name, (record: T) => toCell(name, (record as Record<string, unknown>)[name])]),
  );
}

function toCell(name: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number" && name.endsWith("At")) return new Date(value).toISOString();
  return JSON.stringify(value);
}
