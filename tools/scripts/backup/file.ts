import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip, gzipSync } from "node:zlib";
import type { BackedUpRow, KeyCheck } from "../../../src/click-log/log/backup.ts";
import { Failure } from "../command.ts";

const FORMAT = "tern-backup-1";

/** The first line. */
export interface Header {
  format: typeof FORMAT;
  /** Random. It tells a restore that was interrupted from another one. */
  id: string;
  /** The version of the tables. */
  schemaVersion: number;
  /** ISO 8601. Each link is as it was at one moment between these two. */
  startedAt: string;
  endedAt: string;
  /** What the encryption keys must decrypt. */
  keyChecks: KeyCheck[];
  /** The number of lines that follow. */
  lines: number;
  /** The number of rows by table, and of click rows as `clicks`. Rows that were read twice count twice. */
  rows: Record<string, number>;
}

interface Rows {
  table: string;
  columns: string[];
  /** Each a JSON array as text: parsed, its large integers would be rounded. */
  rows: string[];
}

/** A page of a table. With `children`, it replaces rows of former lines, and these are all rows that refer to them. */
export interface RowsLine extends Rows {
  children?: Rows[];
}

export interface ClicksLine {
  clickLog: string;
  rows: BackedUpRow[];
}

export type Line = RowsLine | ClicksLine;

export function isClicksLine(line: Line): line is ClicksLine {
  return "clickLog" in line;
}

/** Writes the lines, and then the header before them. Without `finish`, nothing is left. */
export interface BackupWriter {
  write(line: Line): Promise<void>;
  finish(header: Omit<Header, "format" | "lines" | "rows">): Promise<Header>;
  discard(): Promise<void>;
}

export function openBackup(file: string): BackupWriter {
  const body = `${file}.part`;
  const gzip = createGzip();
  const written = pipeline(gzip, createWriteStream(body, { mode: 0o600 }));
  // Reported by `finish`, or by the next call of `write`.
  written.catch(() => {});
  let lines = 0;
  const rows: Record<string, number> = {};
  const count = (name: string, added: number) => (rows[name] = (rows[name] ?? 0) + added);
  return {
    async write(line) {
      lines++;
      if (isClicksLine(line)) count("clicks", line.rows.length);
      else for (const part of [line, ...(line.children ?? [])]) count(part.table, part.rows.length);
      if (gzip.write(`${JSON.stringify(line)}\n`)) return;
      await Promise.race([new Promise((resolve) => gzip.once("drain", resolve)), written]);
    },
    async finish(start) {
      gzip.end();
      await written;
      const header: Header = { format: FORMAT, ...start, lines, rows };
      // Two gzip members in one file are one text.
      const whole = `${file}.whole`;
      const output = createWriteStream(whole, { mode: 0o600 });
      output.write(gzipSync(`${JSON.stringify(header)}\n`));
      await pipeline(createReadStream(body), output);
      await rename(whole, file);
      await rm(body);
      return header;
    },
    async discard() {
      gzip.destroy();
      await written.catch(() => {});
      await Promise.all([rm(body, { force: true }), rm(`${file}.whole`, { force: true })]);
    },
  };
}

/** Reads the whole file, and returns its header and the names of its ClickLogs. Throws if it is damaged or no backup. */
export async function checkBackup(file: string): Promise<{ header: Header; clickLogs: Set<string> }> {
  let header: Header | null = null;
  let lines = 0;
  const clickLogs = new Set<string>();
  for await (const text of textLines(file)) {
    if (header === null) header = parseHeader(file, text);
    else {
      lines++;
      const line = JSON.parse(text) as Line;
      if (isClicksLine(line)) clickLogs.add(line.clickLog);
    }
  }
  if (header === null || lines !== header.lines)
    throw new Failure(`${file} is damaged: it has ${lines} of ${header?.lines ?? "?"} lines. Use another backup.`);
  return { header, clickLogs };
}

/** Yields the lines after the first `skipped`, with their numbers from 1 on. */
export async function* readBackup(file: string, skipped: number): AsyncGenerator<[number: number, line: Line]> {
  let number = -1;
  for await (const text of textLines(file)) if (++number > skipped) yield [number, JSON.parse(text) as Line];
}

/** Not `readline`, which also ends a line at U+2028. */
async function* textLines(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip().setEncoding("utf8");
  createReadStream(file)
    .on("error", (error) => gunzip.destroy(error))
    .pipe(gunzip);
  let parts: string[] = [];
  try {
    for await (const chunk of gunzip as AsyncIterable<string>) {
      const [first = "", ...lines] = chunk.split("\n");
      parts.push(first);
      for (const line of lines) {
        yield parts.join("");
        parts = [line];
      }
    }
  } catch (error) {
    throw new Failure(`${file} cannot be read as a backup: ${(error as Error).message}.`);
  } finally {
    gunzip.destroy();
  }
}

function parseHeader(file: string, text: string): Header {
  try {
    const header = JSON.parse(text) as Header;
    if (header.format === FORMAT) return header;
  } catch {
    // Reported below.
  }
  throw new Failure(`${file} was not made by npm run backup, or by a version that this one does not know.`);
}
