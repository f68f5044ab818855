import type { JobContext } from "../../jobs/kind.ts";
import type { RawRow } from "./formats/import-row.ts";
import { toImportRow, type ImportRow } from "./formats/import-row.ts";
import { fieldIndexes, guessMapping } from "./formats/recognise.ts";
import type { Mapping } from "./formats/fields.ts";
import { applyMapping, parseInput, type FileSummary } from "./input.ts";
import { readPage, requireSummary } from "./lists.ts";
import type { ResolveOptions } from "./resolve-row.ts";
import { findOwnDomains } from "./store.ts";

/** A page of rows, read by the mapping of the import. */
export interface ReadPage {
  summary: FileSummary;
  mapping: Mapping;
  raw: RawRow[];
  rows: ImportRow[];
  options: ResolveOptions;
}

export async function readImportPage(context: JobContext, page: number): Promise<ReadPage> {
  const { db, env, records, baseUrl, principal } = context;
  const summary = requireSummary(context);
  const input = parseInput(context.input);
  const mapping = applyMapping(guessMapping(summary.source, summary.columns), input.choices.mapping);
  const { columns, hasFormulaEscapes } = summary;
  const reading = { indexes: fieldIndexes(columns, mapping), width: columns.length, hasFormulaEscapes };
  const raw = readPage(records, page);
  const rows = raw.map((row) => toImportRow(row, reading));
  const ownDomains = await findOwnDomains(db, principal.accountId);
  return { summary, mapping, raw, rows, options: { input, mapping, ownDomains, baseUrl, env } };
}
