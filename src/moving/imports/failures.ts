import type { JobFailure } from "../../jobs/job.ts";
import { csvLines, streamCsv, streamText, type CsvColumns } from "../../platform/lib/csv.ts";
import { toCellText } from "./cell-text.ts";
import { FailureList, OBJECT_COLUMNS } from "./formats/failure-list.ts";
import { getImportJob, readImportFailurePages } from "./requests.ts";
import { parseDetails, parseInput } from "./input.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";

/**
 * What was not imported as it was, as CSV: line, reason, the code of the fault, and the row. So it can be uploaded itself. A row of a CSV file is given
 * back character by character, also if it could not be read as a link.
 */
export async function readImportFailures(context: RequestContext, id: string): Promise<ReadableStream<Uint8Array>> {
  const { input, details: stored } = await getImportJob(context, id);
  const { layout } = parseInput(input);
  const { header = null, columns = [] } = parseDetails(stored) ?? {};
  const pages = readImportFailurePages(context, id);
  if (layout.format !== "csv") return streamObjects(columns, pages);
  const list = new FailureList(layout, header ?? "", columns);
  const textOf = ({ subject, reason, code, row }: JobFailure) => list.rowOf([subject, reason, code], row ?? "");
  return streamText(pages, (page) => page.map(textOf).join(""), list.header);
}

interface ObjectRow {
  object: string;
  reason: string;
  fault: string;
  cells: readonly unknown[];
}

function streamObjects(columns: readonly string[], pages: AsyncIterable<readonly JobFailure[]>) {
  // A file may have the names "object" or "2026": the keys of the columns are their numbers.
  const cells = columns.map((_, index) => [`c${index}`, (row: ObjectRow) => toCellText(row.cells[index])] as const);
  const all: CsvColumns<ObjectRow> = {
    object: ({ object }) => object,
    reason: ({ reason }) => reason,
    fault: ({ fault }) => fault,
    ...Object.fromEntries(cells),
  };
  const [object, reason, fault] = OBJECT_COLUMNS;
  const header = `\u{FEFF}${csvLines(all, [{ object, reason, fault, cells: columns }])}`;
  return streamCsv(all, objectPages(pages), header);
}

async function* objectPages(pages: AsyncIterable<readonly JobFailure[]>): AsyncGenerator<ObjectRow[]> {
  for await (const failures of pages) {
    yield failures.map(({ subject, reason, code, row }) => ({
      object: subject,
      reason,
      fault: code,
      cells: JSON.parse(row ?? "[]") as unknown[],
    }));
  }
}
