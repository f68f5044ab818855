import { countAccountRecords, describeAccountExport } from "./account/manifest.ts";
import { ACCOUNT_SOURCES } from "./account/sources.ts";
import { appendTexts, finishArchive, type Append } from "./archive.ts";
import { csvHeader, csvLines } from "../../platform/lib/csv.ts";
import { clickFileSource } from "./click-source.ts";
import { appendImages, finishImages } from "./code-archive.ts";
import { codeSource, type NamedImage } from "./code-source.ts";
import type { Subject } from "./export.ts";
import type { FileWriter } from "./file-writer.ts";
import { linkSource } from "./link-source.ts";
import type { Source, SourceContext, TableSource } from "./source.ts";
import { appendRecords, csvTable, finishTable, jsonTable } from "./table-file.ts";

/** The part of an export that copies the records of one source into its file. */
interface Step {
  source: Source<object>;
  /** Appends a page to the file. */
  append: (file: FileWriter, records: readonly object[], context: SourceContext) => void;
}

/** The numbers of records, by source. */
export type Counts = Record<string, number>;

/** How an export is made. */
interface Plan {
  /** In the order of their files. */
  steps: readonly Step[];
  /** Returns the number of records as far as it is known. */
  count: (context: SourceContext) => Promise<number>;
  /** Completes the file, and returns its size in bytes as it is downloaded. */
  finish: (file: FileWriter, counts: Counts, context: SourceContext) => Promise<number>;
}

export function planOf(subject: Subject): Plan {
  if (subject.kind === "account") return ACCOUNT_PLAN;
  if (subject.kind === "links") return planTable(linkSource(subject.links), subject);
  if (subject.kind === "qr") return planCodes(subject);
  return planTable(clickFileSource(subject), subject);
}

function planCodes({ links, total, ...drawing }: Extract<Subject, { kind: "qr" }>): Plan {
  const source = codeSource(links, drawing);
  return {
    steps: [{ source, append: appendCodes }],
    count: async () => total,
    finish: async (file, counts) => finishImages(file, counts[source.name] ?? 0),
  };
}

const appendCodes: Step["append"] = (file, images, { records, createdAt }) =>
  appendImages(file, images as NamedImage[], records, createdAt);

/** A file that is one table. */
function planTable<T extends object>(
  records: TableSource<T>,
  { format, total }: { format: "csv" | "json"; total: number },
): Plan {
  const source = records as unknown as TableSource<object>;
  const table = format === "csv" ? csvTable(source) : jsonTable(source);
  return {
    steps: [{ source, append: (file, page) => appendRecords(file, table, page) }],
    count: async () => total,
    finish: async (file) => finishTable(file, table),
  };
}

/** A ZIP file with two tables for each source, `<name>.jsonl` and `<name>.csv`, and `export.json`. */
const ACCOUNT_PLAN: Plan = {
  steps: ACCOUNT_SOURCES.map((source) => ({
    source,
    append: (file, records) => appendTexts(file, toTexts(source, records)),
  })),
  count: countAccountRecords,
  async finish(file, counts, context) {
    const text = `${JSON.stringify(await describeAccountExport(context, counts), null, 2)}\n`;
    appendTexts(file, [{ source: "export", format: "json", text, header: "" }]);
    return finishArchive(file, context.createdAt);
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
