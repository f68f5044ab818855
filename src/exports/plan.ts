import { countAccountRecords, describeAccountExport } from "./account-export.ts";
import { ACCOUNT_SOURCES } from "./account-sources.ts";
import { appendTexts, finishArchive, type Append } from "./archive.ts";
import { csvHeader, csvLines } from "../lib/csv.ts";
import { clickFileSource } from "./click-source.ts";
import { appendImages, finishImages } from "./code-archive.ts";
import { codeSource, type NamedImage } from "./code-source.ts";
import type { ExportRequest } from "./export.ts";
import { linkSource } from "./link-source.ts";
import type { Source, SourceContext, TableSource } from "./source.ts";
import { appendRecords, csvTable, finishTable, jsonTable } from "./table-file.ts";

/** Where the file of an export is stored. */
interface Target {
  sql: SqlStorage;
  /** The id of the export. */
  id: string;
  /** When the export was started. */
  createdAt: number;
}

/** The part of an export that copies the records of one source into its file. */
export interface Step {
  source: Source<object>;
  /** Appends a page to the file, within a transaction. */
  append: (target: Target, records: readonly object[]) => void;
}

/** How an export is made. */
interface Plan {
  /** In the order of their files. */
  steps: readonly Step[];
  /** Returns the number of records as far as it is known. */
  count: (context: SourceContext) => Promise<number>;
  /** Returns what the file says about itself. `counts` are the numbers of records by source. */
  describe?: (context: SourceContext, counts: Record<string, number>) => Promise<string>;
  /** Completes the file, within a transaction, and returns its size in bytes as it is downloaded. */
  finish: (target: Target, description: string) => number;
}

export function planOf(request: ExportRequest): Plan {
  if (request.kind === "account") return ACCOUNT_PLAN;
  if (request.kind === "links") return planTable(linkSource(request.links), request);
  if (request.kind === "qr") return planCodes(request);
  return planTable(clickFileSource(request), request);
}

function planCodes({ links, format, style, total }: Extract<ExportRequest, { kind: "qr" }>): Plan {
  return {
    steps: [{ source: codeSource(links, format, style), append: appendCodes }],
    count: async () => total,
    finish: ({ sql, id }) => finishImages(sql, id),
  };
}

const appendCodes: Step["append"] = ({ sql, id, createdAt }, images) =>
  appendImages(sql, id, images as NamedImage[], createdAt);

/** A file that is one table. */
function planTable<T extends object>(
  records: TableSource<T>,
  { format, total }: { format: "csv" | "json"; total: number },
): Plan {
  const source = records as unknown as TableSource<object>;
  const table = format === "csv" ? csvTable(source) : jsonTable(source);
  return {
    steps: [{ source, append: ({ sql, id }, page) => appendRecords(sql, id, table, page) }],
    count: async () => total,
    finish: ({ sql, id }) => finishTable(sql, id, table),
  };
}

/** A ZIP file with two tables for each source, `<name>.jsonl` and `<name>.csv`, and `export.json`. */
const ACCOUNT_PLAN: Plan = {
  steps: ACCOUNT_SOURCES.map((source) => ({
    source,
    append: ({ sql, id }, records) => appendTexts(sql, id, toTexts(source, records)),
  })),
  count: countAccountRecords,
  describe: async (context, counts) => `${JSON.stringify(await describeAccountExport(context, counts), null, 2)}\n`,
  finish: ({ sql, id, createdAt }, description) => {
    appendTexts(sql, id, [{ source: "export", format: "json", text: description, header: "" }]);
    return finishArchive(sql, id, createdAt);
  },
};

function toTexts({ name, columns }: TableSource<object>, records: readonly object[]): Append[] {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const rows = records.length === 0 ? "" : csvLines(columns, records);
  return [
    { source: name, format: "jsonl", text: lines, header: "" },
    { source: name, format: "csv", text: rows, header: csvHeader(columns) },
  ];
}
