import type { JobRecords } from "../../jobs/kind.ts";
import type { RawRow } from "./formats/import-row.ts";
import { readPage, ROWS } from "./lists.ts";

/** A row as the list of failures gives it back: the text of a CSV row, or the cells of an object as JSON. */
export function toFailureRow({ raw, cells }: Pick<RawRow, "raw" | "cells">): string {
  return raw ?? JSON.stringify(cells);
}

/** The rows of these lines. The pages of rows are in the order of the lines. */
export function findRows(records: JobRecords, lines: readonly number[]): Map<number, RawRow> {
  const found = new Map<number, RawRow>();
  for (const line of lines) {
    if (found.has(line)) continue;
    const wanted = new Set(lines);
    for (const row of readPage(records, pageOf(records, line))) if (wanted.has(row.line)) found.set(row.line, row);
  }
  return found;
}

/** The last page that begins at the line or before. */
function pageOf(records: JobRecords, line: number): number {
  let [low, high] = [0, records.endOf(ROWS) - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((readPage(records, middle)[0]?.line ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}
