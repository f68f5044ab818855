import { isNothing } from "../../../platform/lib/nothing.ts";

/** The cells of one line. */
export interface LineCells {
  /** null: an unquoted word for nothing, such as `NULL`. */
  cells: (string | null)[];
  /** The first cell whose quotation mark is not closed in the line, with the index of that mark; null: there is none. */
  open: { cell: number; at: number } | null;
}

/**
 * The cells of a line (RFC 4180), without its line end. A quotation mark inside of an unquoted cell is a character like others.
 * One that is not closed in the line is read as a character too, and reported as `open`.
 * `isLiteral`: quotation marks around a delimiter are characters too.
 */
export function splitLine(text: string, delimiter: string, isLiteral = false): LineCells {
  const cells: LineCells["cells"] = [];
  let open: LineCells["open"] = null;
  let index = 0;
  for (;;) {
    const { cell, end, isOpen } = readCell(text, index, delimiter, isLiteral);
    if (isOpen) open ??= { cell: cells.length, at: index };
    cells.push(cell);
    if (end === text.length) return { cells, open };
    index = end + delimiter.length;
  }
}

/** A cell, as it is read if its line is alone. */
interface Cell {
  cell: string | null;
  /** The index of the delimiter behind it, or the length of the text. */
  end: number;
  isOpen: boolean;
}

export function readCell(text: string, start: number, delimiter: string, isLiteral = false): Cell {
  const end = endOfUnquoted(text, start, delimiter);
  if (text[start] === '"') {
    const close = closingQuote(text, start + 1);
    if (close !== -1 && !(isLiteral && close > end))
      return { ...endQuoted(text, start + 1, close, delimiter), isOpen: false };
  }
  const cell = text.slice(start, end);
  return { cell: isNothing(cell) ? null : cell, end, isOpen: text[start] === '"' };
}

/** The index of the quotation mark that closes a cell: the first one that is not doubled. -1: there is none. */
export function closingQuote(text: string, start: number): number {
  let index = text.indexOf('"', start);
  while (index !== -1 && text[index + 1] === '"') index = text.indexOf('"', index + 2);
  return index;
}

/**
 * The cell from `start`, behind its opening quotation mark, that is closed at `close`. If more than a delimiter follows, the cell
 * was not quoted, and its quotation marks are characters.
 */
export function endQuoted(
  text: string,
  start: number,
  close: number,
  delimiter: string,
): { cell: string; end: number } {
  const end = endOfUnquoted(text, close + 1, delimiter);
  const cell = end === close + 1 ? text.slice(start, close).replaceAll('""', '"') : `"${text.slice(start, end)}`;
  return { cell, end };
}

function endOfUnquoted(text: string, start: number, delimiter: string): number {
  const end = text.indexOf(delimiter, start);
  return end === -1 ? text.length : end;
}
