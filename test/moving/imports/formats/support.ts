import { toUtf8 } from "../../../../src/moving/imports/formats/encoding.ts";
import { cellsOf, columnsOf } from "../../../../src/moving/imports/formats/columns.ts";
import type { FilePosition, FileRow } from "../../../../src/moving/imports/formats/file.ts";
import { toImportRow, type ImportRow, type RawRow } from "../../../../src/moving/imports/formats/import-row.ts";
import { findLayout, firstPosition, readRows } from "../../../../src/moving/imports/formats/layout.ts";
import { fieldIndexes, guessMapping, recogniseSource } from "../../../../src/moving/imports/formats/recognise.ts";
import type { Mapping } from "../../../../src/moving/imports/formats/fields.ts";

export function toBytes(file: string | Uint8Array): Uint8Array {
  return typeof file === "string" ? new TextEncoder().encode(file) : file;
}

export function* inPieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += size) yield bytes.subarray(start, start + size);
}

async function* arriving<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

/** The file in UTF-8, which arrives in pieces of `size` bytes. */
async function toUtf8Bytes(file: string | Uint8Array, size = 1_000): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of toUtf8(arriving(inPieces(toBytes(file), size)))) chunks.push(chunk);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** All rows of a file from a position on, which arrives in pieces of `size` bytes. */
export async function readFile(file: string | Uint8Array, size = 1_000, from?: FilePosition): Promise<FileRow[]> {
  const bytes = await toUtf8Bytes(file, size);
  const layout = findLayout(bytes);
  const start = from ?? firstPosition(layout);
  const rows: FileRow[] = [];
  for await (const page of readRows(inPieces(bytes.subarray(start.offset), size), layout, start)) rows.push(...page);
  return rows;
}

interface ReadImport {
  source: string;
  columns: string[];
  mapping: Mapping;
  raw: RawRow[];
  rows: ImportRow[];
}

/** What an import makes of a file, without a mapping by a person. */
export async function readImport(file: string | Uint8Array, size?: number): Promise<ReadImport> {
  const layout = findLayout(await toUtf8Bytes(file, size));
  const [first, ...others] = await readFile(file, size);
  const isCsv = layout.format === "csv";
  const columns = isCsv ? columnsOf(first?.value as string[]) : [];
  const raw = (isCsv ? others : [first as FileRow, ...others]).map(({ line, value }) => ({
    line,
    cells: Array.isArray(value) ? value : cellsOf(value, columns),
  }));
  const source = recogniseSource(columns, layout);
  const mapping = guessMapping(source, columns);
  const reading = {
    indexes: fieldIndexes(columns, mapping),
    width: columns.length,
    hasFormulaEscapes: source === "tern",
  };
  return { source, columns, mapping, raw, rows: raw.map((row) => toImportRow(row, reading)) };
}

/** What is the same for most links. */
const PLAIN = {
  title: null,
  tags: [],
  startsAt: null,
  expiresAt: null,
  expiredUrl: null,
  maxClicks: null,
  archived: false,
  disabled: false,
  ios: null,
  android: null,
  geo: null,
  rules: null,
  preview: null,
  redirectStatus: null,
  passParameters: true,
  externalId: null,
};

type Expected = Partial<Omit<ImportRow, "input">> & {
  input: { url: string } & Partial<Record<keyof typeof PLAIN, unknown>>;
};

/** A row that differs from a plain one only in these fields. */
export function importRow({ input, ...fields }: Expected): ImportRow {
  return {
    line: 2,
    host: null,
    slug: null,
    aliases: [],
    createdAt: null,
    importedClicks: 0,
    isDead: false,
    notices: [],
    faults: [],
    ...fields,
    input: { ...PLAIN, ...input },
  };
}
