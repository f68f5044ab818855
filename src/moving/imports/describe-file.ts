import type { JobContext, JobPage } from "../../jobs/kind.ts";
import { toCellText, withoutUnread } from "./cell-text.ts";
import { addProblems, compareRowPages, type CheckPosition } from "./check-rows.ts";
import { guessMapping } from "./formats/recognise.ts";
import { findUnusedSlugs } from "./formats/unused-slugs.ts";
import { applyMapping, parseInput, type ImportDetails } from "./input.ts";
import { NEW_TAGS, readPage, requireSummary, SHORT_URLS } from "./lists.ts";
import { IMPORT_SAMPLE_ROWS } from "./limits.ts";

/** Ends the reading: stores what is shown before the import is started. */
export function describeFile(context: JobContext): JobPage {
  const { records } = context;
  const position = context.position as CheckPosition;
  const { source, columns, header, rows } = requireSummary(context);
  const { choices } = parseInput(context.input);
  const mapping = applyMapping(guessMapping(source, columns), choices.mapping);
  const first = readPage(records, 0);
  const sample = first
    .slice(0, IMPORT_SAMPLE_ROWS)
    .map(({ line, cells }) => ({ line, cells: columns.map((_, index) => withoutUnread(toCellText(cells[index]))) }));
  const { problems, expected } = compareRowPages(context, position, choices.taken);
  const unused = findUnusedSlugs(first, columns, mapping, new Set(Object.keys(choices.mapping)), source);
  const details: ImportDetails = {
    source,
    columns,
    header,
    rows,
    mapping,
    sample,
    problems: addProblems(
      problems,
      unused.map(({ line, column, slug }) => ["unused_slugs", line, `${column}: ${slug}`]),
    ),
    expected,
    hosts: position.hosts.toSorted((a, b) => b.links - a.links),
  };
  const forgotten = [SHORT_URLS, NEW_TAGS].flatMap((list) =>
    Array.from({ length: records.endOf(list) }, (_, number) => ({ list, number })),
  );
  return { position: null, done: 0, total: rows, details: JSON.stringify(details), forgotten };
}
