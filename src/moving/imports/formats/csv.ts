import { closingQuote, endQuoted, splitLine, type LineCells } from "./cells.ts";
import { FileError, type FilePosition, type FileRow, type Pieces } from "./file.ts";
import { MAX_IMPORT_ROW_BYTES, MAX_LINES_IN_LITERAL_CELL } from "../limits.ts";

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
const ADDRESS = /^\s*"?https?:\/\//i;

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/**
 * Reads the rows of a CSV file (RFC 4180) from a position on, those of one piece at a time. Lines may end in any way, blank
 * lines are left out, and a quotation mark inside of an unquoted cell is a character like others.
 *
 * Some programs quote nothing, such as `mysql --batch`. A cell of theirs that begins with a quotation mark would take in the
 * rows below it. So a quoted cell across several lines is read literally if each of its lines alone has an address and as many
 * cells as the file has columns.
 */
export async function* readCsv(pieces: Pieces, delimiter: string, from: FilePosition): AsyncGenerator<FileRow[]> {
  const reader = new RowReader(delimiter, from);
  for await (const piece of pieces) {
    reader.add(piece);
    // A row may come before an error, and is returned first.
    yield* inTurn(reader, false);
  }
  yield* inTurn(reader, true);
}

function* inTurn(reader: RowReader, isEnd: boolean): Generator<FileRow[]> {
  const rows: FileRow[] = [];
  let error: unknown;
  try {
    for (let row = reader.next(isEnd); row !== null; row = reader.next(isEnd)) rows.push(row);
  } catch (reason) {
    error = reason;
  }
  yield rows;
  if (error !== undefined) throw error;
}

interface Line {
  text: string;
  newLine: string;
  /** Where the line behind it begins, in the bytes that are kept. */
  end: number;
}

/** A row that ends with one of its lines. */
interface FoundRow {
  cells: LineCells["cells"];
  lines: readonly Line[];
  takenIn: number;
}

class RowReader {
  readonly #delimiter: string;
  /** The bytes from {@link #offset} on. */
  #bytes: Uint8Array = new Uint8Array();
  /** Where the next row begins, in the bytes. */
  #start = 0;
  #offset: number;
  #line: number;
  #width: number | undefined;

  constructor(delimiter: string, { offset, line, width }: FilePosition) {
    this.#delimiter = delimiter;
    this.#offset = offset;
    this.#line = line;
    this.#width = width;
  }

  add(piece: Uint8Array): void {
    const kept = this.#bytes.subarray(this.#start);
    this.#offset += this.#start;
    this.#start = 0;
    this.#bytes = new Uint8Array(kept.byteLength + piece.byteLength);
    this.#bytes.set(kept);
    this.#bytes.set(piece, kept.byteLength);
  }

  /** The next row that is whole; null: more of the file is needed, or there is none at its end. */
  next(isEnd: boolean): FileRow | null {
    for (;;) {
      const found = this.#find(isEnd);
      if (found === null) return null;
      const { cells, lines, takenIn } = found;
      const { end } = lines.at(-1) as Line;
      const raw = decoder.decode(this.#bytes.subarray(this.#start, end));
      const line = this.#line;
      this.#line += lines.length;
      this.#start = end;
      if (cells.length === 1 && cells[0] === "") continue;
      this.#width ??= cells.length;
      const next = { offset: this.#offset + end, line: this.#line, width: this.#width };
      return { line, value: cells, raw, next, ...(takenIn > 0 && { takenIn }) };
    }
  }

  #find(isEnd: boolean): FoundRow | null {
    const first = this.#lineAt(this.#start, isEnd);
    if (first === null) return null;
    const { cells, open } = this.#split(first.text);
    if (open === null) return { cells, lines: [first], takenIn: 0 };
    const alone: FoundRow = { cells, lines: [first], takenIn: 0 };
    const quoted = new QuotedRow(first, { cells, open }, this.#delimiter, this.#width);
    let areAllRows = this.#isRow(cells);
    let takenIn = 0;
    for (;;) {
      const line = this.#lineAt((quoted.lines.at(-1) as Line).end, isEnd);
      if (line === null && !isEnd) return null;
      if (line === null) {
        if (areAllRows && (this.#delimiter === "\t" || quoted.lines.length > 1)) return alone;
        throw new FileError("file_open_quote", { at: this.#line });
      }
      const isRow = this.#isRow(this.#split(line.text).cells);
      areAllRows &&= isRow;
      const { isWhole, isWithin } = quoted.add(line);
      if (isRow && isWithin) takenIn++;
      if (areAllRows && (isWhole || quoted.lines.length > MAX_LINES_IN_LITERAL_CELL)) return alone;
      if (isWhole) return { cells: quoted.cells, lines: quoted.lines, takenIn };
    }
  }

  #split(text: string): LineCells {
    return splitTo(this.#width, text, this.#delimiter);
  }

  /** Whether the cells of a line are those of a whole row of the file, with an address. */
  #isRow(cells: LineCells["cells"]): boolean {
    return cells.length === this.#width && cells.length > 1 && hasAddress(cells);
  }

  #lineAt(start: number, isEnd: boolean): Line | null {
    const bytes = this.#bytes;
    let end = start;
    while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) end++;
    if (end - this.#start > MAX_IMPORT_ROW_BYTES)
      throw new FileError("file_row_too_long", { at: this.#line, max: MAX_IMPORT_ROW_BYTES });
    const isLast = end + (bytes[end] === CARRIAGE_RETURN ? 1 : 0) >= bytes.length;
    if (isLast && (!isEnd || start === bytes.length)) return null;
    const text = decoder.decode(bytes.subarray(start, end));
    if (end === bytes.length) return { text, newLine: "", end };
    const newLine = bytes[end] === LINE_FEED ? "\n" : bytes[end + 1] === LINE_FEED ? "\r\n" : "\r";
    return { text, newLine, end: end + newLine.length };
  }
}

/**
 * The cells of a line. In a file with tabs that quotes nothing, the quotation marks of two cells would make one cell of them. So
 * quoted cells with tabs are read literally, if only that gives a row with an address and as many cells as there are columns.
 */
function splitTo(width: number | undefined, text: string, delimiter: string): LineCells {
  const split = splitLine(text, delimiter);
  if (delimiter !== "\t" || split.open !== null || split.cells.length === width) return split;
  const { cells } = splitLine(text, delimiter, true);
  return cells.length === width && hasAddress(cells) ? { cells, open: null } : split;
}

function hasAddress(cells: LineCells["cells"]): boolean {
  return cells.some((cell) => cell !== null && ADDRESS.test(cell));
}

/** A row with a quoted cell that goes on in the lines below. */
class QuotedRow {
  readonly lines: Line[];
  /** The cells before the one that is open. */
  cells: LineCells["cells"];
  readonly #delimiter: string;
  /** The open cell so far, behind its quotation mark. */
  #content: string[];
  readonly #width: number | undefined;

  constructor(first: Line, { cells, open }: LineCells, delimiter: string, width: number | undefined) {
    this.#width = width;
    this.lines = [first];
    this.#delimiter = delimiter;
    this.cells = cells.slice(0, open?.cell);
    this.#content = [first.text.slice((open?.at ?? 0) + 1), first.newLine];
  }

  /** `isWhole`: the row ends with the line. `isWithin`: at least one whole cell of the line is within the quoted one. */
  add(line: Line): { isWhole: boolean; isWithin: boolean } {
    this.lines.push(line);
    const close = closingQuote(line.text, 0);
    if (close === -1) {
      this.#content.push(line.text, line.newLine);
      return { isWhole: false, isWithin: true };
    }
    const before = this.#content.join("");
    const text = before + line.text;
    const { cell, end } = endQuoted(text, 0, before.length + close, this.#delimiter);
    this.cells.push(cell);
    const isWithin = line.text.slice(0, close).includes(this.#delimiter);
    if (end === text.length) return { isWhole: true, isWithin };
    const rest = text.slice(end + this.#delimiter.length);
    const width = this.#width === undefined ? undefined : this.#width - this.cells.length;
    const { cells, open } = splitTo(width, rest, this.#delimiter);
    this.cells.push(...cells.slice(0, open?.cell));
    if (open === null) return { isWhole: true, isWithin };
    this.#content = [rest.slice(open.at + 1), line.newLine];
    return { isWhole: false, isWithin };
  }
}
