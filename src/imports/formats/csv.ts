import { CsvError, parse } from "csv-parse/stream";
import { FileError, type FilePosition, type FileRow, type Pieces } from "./file.ts";
import { MAX_IMPORT_ROW_BYTES } from "../limits.ts";

const NEW_LINES = /\r\n|\r|\n/g;

/**
 * Reads the rows of a CSV file (RFC 4180) from a position on, those of one piece at a time. Lines may end in any way, blank
 * lines are left out, and a quotation mark inside of an unquoted cell is a character like others.
 */
export async function* readCsv(pieces: Pieces, delimiter: string, from: FilePosition): AsyncGenerator<FileRow[]> {
  let rows: FileRow[] = [];
  let { line } = from;
  const texts = new RowTexts(from.offset);
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: MAX_IMPORT_ROW_BYTES,
    on_record(cells: string[], { bytes_records: bytes }) {
      const start = line;
      line += 1 + countNewLines(cells);
      const next = { offset: from.offset + bytes, line };
      const raw = texts.takeUntil(next.offset);
      if (cells.length > 1 || cells[0] !== "") rows.push({ line: start, value: cells, raw, next });
      return null;
    },
  });
  const writer = (parser.writable as WritableStream<Uint8Array>).getWriter();
  // The parser reports an error here, and not by the write that caused it.
  let error: unknown;
  const closed = writer.closed.catch((reason: unknown) => (error = reason));
  const take = () => {
    const taken = rows;
    rows = [];
    return taken;
  };
  let isEmpty = true;
  for await (const piece of pieces) {
    isEmpty = false;
    texts.add(piece);
    await writer.write(piece).catch(() => null);
    yield take();
    if (error !== undefined) break;
  }
  // The parser fails if it gets nothing.
  if (isEmpty) return;
  await Promise.race([writer.close().catch(() => null), closed]);
  await closed;
  yield take();
  if (error !== undefined) throw toFileError(error, line);
}

function countNewLines(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.match(NEW_LINES)?.length ?? 0), 0);
}

/** `line` is where the row begins that could not be read. */
function toFileError(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error;
  if (error.code === "CSV_MAX_RECORD_SIZE") {
    return new FileError(
      `The row that begins in line ${line} has more than ${MAX_IMPORT_ROW_BYTES} bytes. Look for a quotation mark in it that is not closed.`,
    );
  }
  if (error.code === "CSV_QUOTE_NOT_CLOSED") {
    return new FileError(
      `The row that begins in line ${line} has a quotation mark that is not closed. The file may be incomplete.`,
    );
  }
  return new FileError(`The row that begins in line ${line} cannot be read: ${error.message}`);
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Cuts the texts of rows out of a file that arrives in pieces. It keeps only the bytes from the next row on. */
class RowTexts {
  #bytes: Uint8Array = new Uint8Array();
  /** Where {@link #bytes} begin in the file. */
  #start: number;

  constructor(offset: number) {
    this.#start = offset;
  }

  add(piece: Uint8Array): void {
    const bytes = new Uint8Array(this.#bytes.byteLength + piece.byteLength);
    bytes.set(this.#bytes);
    bytes.set(piece, this.#bytes.byteLength);
    this.#bytes = bytes;
  }

  /** The text from the last `end` to this one, an offset in the file. */
  takeUntil(end: number): string {
    const length = end - this.#start;
    const text = decoder.decode(this.#bytes.subarray(0, length));
    this.#bytes = this.#bytes.subarray(length);
    this.#start = end;
    return text;
  }
}
