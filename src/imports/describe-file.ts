import type { JobContext, JobPage } from "../jobs/kind.ts";
import { toCellText, withoutUnread } from "./cell-text.ts";
import { compareRowPages, type CheckPosition } from "./check-rows.ts";
import { guessMapping } from "./formats/recognise.ts";
import { applyMapping, parseInput, type ImportDetails } from "./input.ts";
import { NEW_TAGS, readPage, requireSummary, SHORT_URLS } from "./lists.ts";
import { IMPORT_SAMPLE_ROWS } from "./limits.ts";

/** Ends the reading: stores what is shown before the import is started. */
export function describeFile(context: JobContext): JobPage {
  const { records } = context;
  const position = context.position as CheckPosition;
  const { source, columns, header, rows } = requireSummary(context);
  const mapping = applyMapping(guessMapping(source, columns), parseInput(context.input).choices.mapping);
  const sample = readPage(records, 0)
    .slice(0, IMPORT_SAMPLE_ROWS)
    .map(({ line, cells }) => ({ line, cells: columns.map((_, index) => withoutUnread(toCellText(cells[index]))) }));
  const details: ImportDetails = {
    source,
    columns,
    header,
    rows,
    mapping,
    sample,
    problems: compareRowPages(context, position),
    hosts: position.hosts.toSorted((a, b) => b.links - a.links),
  };
  const forgotten = [SHORT_URLS, NEW_TAGS].flatMap((list) =>
    Array.from({ length: records.endOf(list) }, (_, number) => ({ list, number })),
  );
  return { position: null, done: 0, total: rows, details: JSON.stringify(details), forgotten };
}
