import { MAX_JOB_RECORD_BYTES } from "../../limits.ts";
import type { JobRecord } from "../../jobs/job.ts";
import { FILE, toRecords, type JobContext, type JobPage, type JobRecords } from "../../jobs/kind.ts";
import { cellsOf, columnsOf } from "./formats/columns.ts";
import { IMPORTED, isListOfFailures, isListOfObjects } from "./formats/failure-list.ts";
import { FileError, type FilePosition, type FileRow, type Layout } from "./formats/file.ts";
import type { RawRow } from "./formats/import-row.ts";
import { firstPosition, readRows } from "./formats/layout.ts";
import { recogniseSource, requireSource } from "./formats/recognise.ts";
import type { FileSummary } from "./input.ts";
import { parseInput } from "./input.ts";
import { explain, ROWS, SUMMARY } from "./lists.ts";
import {
  IMPORT_HEAD_BYTES,
  IMPORT_PAGE_BYTES,
  IMPORT_PAGE_ROWS,
  IMPORT_PAGES_PER_READING,
  MAX_IMPORT_ROWS,
} from "./limits.ts";

/** Where the next part of the file is read. */
export interface RowsPosition {
  phase: "rows";
  at: FilePosition;
  /** Of a CSV file before its first row: null. */
  columns: string[] | null;
  /** The first row of a CSV file as it is. */
  header: string | null;
  rows: number;
}

/** Reads the next part of the file, and stores its rows. `after` is the position of the phase that follows. */
export async function readRowPages(context: JobContext, after: unknown): Promise<JobPage> {
  const { input, position, records } = context;
  const { layout, source } = parseInput(input);
  const from = (position ?? firstRowsPosition(layout)) as RowsPosition;
  try {
    const part = await readPart(records, layout, from);
    const pages = part.pages.flatMap((page, index) => toRecords(ROWS, records.endOf(ROWS) + index, page));
    const rows = from.rows + part.pages.flat().length;
    if (rows > MAX_IMPORT_ROWS) throw new FileError("file_too_long", { max: MAX_IMPORT_ROWS });
    const done = rows - from.rows;
    if (!part.isEnd) {
      const next: RowsPosition = { phase: "rows", at: part.next, columns: part.columns, header: part.header, rows };
      return { position: next, done, total: rows, records: pages };
    }
    const columns = part.columns ?? [];
    if (rows === 0) throw new FileError(isListOfFailures(columns) ? "file_of_imported" : "file_without_links");
    const summary = { ...summarise(layout, source, columns, rows), header: part.header };
    const all: JobRecord[] = [...pages, ...toRecords(SUMMARY, 0, [summary])];
    return { position: after, done, total: rows, records: all, forgotten: piecesOf(records) };
  } catch (error) {
    return { position: null, done: 0, error: explain(error) };
  }
}

function firstRowsPosition(layout: Layout): RowsPosition {
  return {
    phase: "rows",
    at: firstPosition(layout),
    columns: layout.format === "csv" ? null : [],
    header: null,
    rows: 0,
  };
}

interface FilePart {
  pages: RawRow[][];
  columns: string[] | null;
  header: string | null;
  next: FilePosition;
  isEnd: boolean;
}

async function readPart(records: JobRecords, layout: Layout, from: RowsPosition): Promise<FilePart> {
  const pages: RawRow[][] = [[]];
  let columns = from.columns === null ? null : [...from.columns];
  let { header } = from;
  let [next, pageStart] = [from.at, from.at.offset];
  for await (const found of readRows(readPieces(records, from.at.offset), layout, from.at)) {
    for (const row of found) {
      if (isFull(pages.at(-1) as RawRow[], row, pageStart)) {
        if (pages.length === IMPORT_PAGES_PER_READING) return { pages, columns, header, next, isEnd: false };
        pages.push([]);
        pageStart = next.offset;
      }
      next = row.next;
      if (columns === null) {
        columns = columnsOf((row.value as (string | null)[]).map((name) => name ?? ""));
        header = headerOf(row);
      } else if (!wasImported(row, columns)) pages.at(-1)?.push(toRawRow(row, columns));
    }
  }
  return { pages: pages.filter((page) => page.length > 0), columns, header, next, isEnd: true };
}

function isFull(page: readonly RawRow[], row: FileRow, pageStart: number): boolean {
  return page.length === IMPORT_PAGE_ROWS || (page.length > 0 && row.next.offset - pageStart > IMPORT_PAGE_BYTES);
}

function toRawRow({ line, value, raw, takenIn, repeatedKey }: FileRow, columns: string[]): RawRow {
  const cells = Array.isArray(value) ? value : cellsOf(value, columns);
  const found = { ...(takenIn !== undefined && { takenIn }), ...(repeatedKey !== undefined && { repeatedKey }) };
  return { line, cells, ...(raw !== undefined && { raw }), ...found };
}

function headerOf({ raw = "" }: FileRow): string {
  if (new TextEncoder().encode(raw).byteLength <= IMPORT_HEAD_BYTES) return raw;
  throw new FileError("file_names_too_long", { max: IMPORT_HEAD_BYTES });
}

/** Whether the row of a list of failures says what became of a link that was imported. Its reason can be deleted. */
function wasImported({ value }: FileRow, columns: readonly string[]): boolean {
  return Array.isArray(value) && isListOfFailures(columns) && IMPORTED.test(value[1] ?? "");
}

/** The bytes of the file from the offset on. All pieces but the last have the same size. */
function* readPieces(records: JobRecords, offset: number): Generator<Uint8Array> {
  let number = Math.floor(offset / MAX_JOB_RECORD_BYTES);
  let start = offset % MAX_JOB_RECORD_BYTES;
  for (let piece = readPiece(records, number); piece !== null; piece = readPiece(records, ++number)) {
    yield piece.subarray(start);
    start = 0;
  }
}

function readPiece(records: JobRecords, number: number): Uint8Array | null {
  return records.readBytes(FILE, number, 0);
}

function piecesOf(records: JobRecords): { list: string; number: number }[] {
  return Array.from({ length: records.endOf(FILE) }, (_, number) => ({ list: FILE, number }));
}

function summarise(
  layout: Layout,
  wanted: ReturnType<typeof parseInput>["source"],
  columns: string[],
  rows: number,
): Omit<FileSummary, "header"> {
  const source = wanted === "auto" ? recogniseSource(columns, layout) : wanted;
  requireSource(source, columns);
  return {
    source,
    columns,
    rows,
    hasFormulaEscapes: layout.format === "csv" && (source === "tern" || isListOfObjects(columns)),
  };
}
