import { readCell } from "./cells.ts";
import type { Layout } from "./file.ts";
import { isRecognised } from "./layout.ts";

/**
 * The list of failures of an import is a file that can be imported itself. Of a CSV file, each row is as it was, character by
 * character, behind the cells `line`, `reason` and `fault`. Of a JSON file, the objects become rows of a CSV file behind
 * `object`, `reason` and `fault`.
 */

/** The code of the fault. `code` would be read as a slug. */
const FAULT = "fault";
/** The line or the number of the object, the reason and the fault. */
const ADDED_COLUMNS = 3;
const FIRST_NAMES = { csv: "line", json: "object" } as const;

/** What was imported, and would be a second link if the list was imported as it is. */
export const IMPORTED = /^(?:Imported|Kept)\b/;

/** Whether the columns are those of a list of failures that this service made. */
export function isListOfFailures([first, second, third]: readonly string[]): boolean {
  return second === "reason" && third === FAULT && (first === FIRST_NAMES.csv || first === FIRST_NAMES.json);
}

/** Whether the columns are those of a list of objects. This service wrote its cells, and escaped those that are formulas. */
export function isListOfObjects(columns: readonly string[]): boolean {
  return isListOfFailures(columns) && columns[0] === FIRST_NAMES.json;
}

/** The names of the first columns of the list of a JSON file. */
export const OBJECT_COLUMNS = [FIRST_NAMES.json, "reason", FAULT] as const;

/** Writes the list of a CSV file. */
export class FailureList {
  readonly #delimiter: string;
  readonly #newLine: string;
  /** Cells in front that the file has as a list of failures itself. They are replaced. */
  readonly #replaced: number;
  /** The first line, with a byte order mark. Without one, Excel reads UTF-8 as the system's legacy encoding. */
  readonly header: string;

  /** `header` is the first row of the file as it is. */
  constructor({ delimiter }: Extract<Layout, { format: "csv" }>, header: string, columns: readonly string[]) {
    this.#delimiter = delimiter;
    this.#newLine = /(?:\r\n|\r|\n)$/.exec(header)?.[0] ?? "\r\n";
    this.#replaced = isListOfFailures(columns) ? ADDED_COLUMNS : 0;
    const first = isListOfObjects(columns) ? FIRST_NAMES.json : FIRST_NAMES.csv;
    const separator = isRecognised(delimiter) ? "" : `sep=${delimiter}${this.#newLine}`;
    this.header = `\u{FEFF}${separator}${this.rowOf([first, "reason", FAULT], header)}`;
  }

  /** A row with the line end that it has. Only the last one of a file may have none, and gets one. */
  rowOf(own: readonly [line: string, reason: string, fault: string], row: string): string {
    const rest = this.#withoutReplaced(row);
    const end = /[\r\n]$/.test(rest) ? "" : this.#newLine;
    return [...own.map((text) => this.#cellOf(text)), rest].join(this.#delimiter) + end;
  }

  #cellOf(text: string): string {
    return /["\r\n,;\t]/.test(text) || text.includes(this.#delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  /** The first cells are of this service, and have no line ends. */
  #withoutReplaced(row: string): string {
    let start = 0;
    for (let cells = 0; cells < this.#replaced; cells++) {
      const { end } = readCell(row, start, this.#delimiter);
      if (end === row.length) return "";
      start = end + this.#delimiter.length;
    }
    return row.slice(start);
  }
}
