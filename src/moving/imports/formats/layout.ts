import { readCsv } from "./csv.ts";
import { FileError, type FilePosition, type FileRow, type Layout, type Pieces } from "./file.ts";
import { findArray, readArray, readSequence } from "./json.ts";
import { IMPORT_HEAD_BYTES } from "../limits.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);

/**
 * Recognises the layout of a file in UTF-8 by its first {@link IMPORT_HEAD_BYTES}, or by all of a smaller file.
 * @throws {FileError} It is neither CSV nor JSON.
 */
export function findLayout(file: Uint8Array): Layout {
  const head = file.subarray(0, IMPORT_HEAD_BYTES);
  const start = startsWith(head, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const text = new TextDecoder().decode(head.subarray(start));
  if (text.trim() === "") throw new FileError("file_empty");
  const named = SEPARATOR_LINE.exec(text);
  if (named !== null) {
    const [line, delimiter = ""] = named;
    return { format: "csv", delimiter, start: start + new TextEncoder().encode(line).byteLength, line: 2 };
  }
  if (!/^\s*[[{]/.test(text)) return { format: "csv", delimiter: findDelimiter(text), start, line: 1 };
  const array = findArray(head.subarray(start));
  return array === null
    ? { format: "objects", start }
    : { format: "array", start: start + array.offset, key: array.key };
}

/** What Excel takes for the delimiter: the first line `sep=;`, also in quotation marks. It is no row. */
const SEPARATOR_LINE = /^"?sep=([^\s\p{L}\p{N}"\\]|[ \t])"?[,;\t]*(?:\r\n|\r|\n)/iu;

const DELIMITERS = [",", ";", "\t", "|"] as const;

/** Whether the delimiter is one that a file is recognised by. Another one must be named by the file. */
export function isRecognised(delimiter: string): boolean {
  return DELIMITERS.some((known) => known === delimiter);
}

/** The delimiter that is the most frequent one in the first line, outside of quotation marks. */
function findDelimiter(text: string): (typeof DELIMITERS)[number] {
  const unquoted = text.trimStart().replaceAll(/"(?:[^"]|"")*"/g, "");
  const [line = ""] = unquoted.split(/[\r\n]/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** Where the rows of a file begin. In CSV, the first one names the columns. */
export function firstPosition(layout: Layout): FilePosition {
  return { offset: layout.start, line: layout.format === "csv" ? layout.line : 1 };
}

/**
 * Reads the rows of a file from a position on, some at a time. `pieces` are the bytes from that position on.
 * @throws {FileError} The file cannot be read. The rows before the error were returned.
 */
export function readRows(pieces: Pieces, layout: Layout, from: FilePosition): AsyncGenerator<FileRow[]> {
  if (layout.format === "csv") return readCsv(pieces, layout.delimiter, from);
  return layout.format === "array" ? readArray(pieces, from) : readSequence(pieces, from);
}
