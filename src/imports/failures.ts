import type { RequestContext } from "../context.ts";
import type { JobFailure } from "../job-runner/job.ts";
import { readFailurePages } from "../job-runner/requests.ts";
import { csvLines, streamCsv, type CsvColumns } from "../lib/csv.ts";
import { toCellText } from "./cell-text.ts";
import { isListOfFailures } from "./formats/columns.ts";
import { getImport } from "./imports.ts";

/** What was not imported as it was, as CSV: line, reason, and the row in its own columns. So it can be uploaded itself. */
export async function readImportFailures(context: RequestContext, id: string): Promise<ReadableStream<Uint8Array>> {
  const { columns } = await getImport(context, id);
  // Of a list of failures that was imported itself, the old lines and reasons are left out.
  const kept = columns.map((name, index) => ({ name, index })).slice(isListOfFailures(columns) ? 2 : 0);
  // A file may have the names "line" or "2026": the keys of the columns are their numbers.
  const cells = kept.map(({ index }, number) => [`c${number}`, (row: Row) => toCellText(row.cells[index])] as const);
  const all: CsvColumns<Row> = {
    line: ({ line }) => line,
    reason: ({ reason }) => reason,
    ...Object.fromEntries(cells),
  };
  const names: unknown[] = [];
  for (const { name, index } of kept) names[index] = name;
  const header = `\u{FEFF}${csvLines(all, [{ line: "line", reason: "reason", cells: names }])}`;
  return streamCsv(all, rowPages(context, id), header);
}

interface Row {
  line: string;
  reason: string;
  cells: readonly unknown[];
}

async function* rowPages(context: RequestContext, id: string): AsyncGenerator<Row[]> {
  for await (const failures of readFailurePages(context, id)) yield failures.map(toRow);
}

function toRow({ subject, reason, row }: JobFailure): Row {
  return { line: subject, reason, cells: JSON.parse(row ?? "[]") as unknown[] };
}
