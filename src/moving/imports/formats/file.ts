import { fault, type Fault, type RefusalCode, type ValueArguments } from "../../../platform/http/faults.ts";

/** Why a file cannot be read. */
export class FileError<C extends RefusalCode = RefusalCode> extends Error {
  readonly fault: Fault;

  constructor(code: C, ...values: ValueArguments<C>) {
    const reason = fault("", code, ...values);
    super(reason.message);
    this.fault = reason;
  }
}

/** How the rows of a file are written. */
export type Layout =
  /** `start` is the byte after a byte order mark and Excel's line `sep=`, and `line` the first line behind them. */
  | { format: "csv"; delimiter: string; start: number; line: number }
  /** A JSON array of objects: the file itself, or the value of a key. `start` is the byte after its opening bracket. */
  | { format: "array"; start: number; key: string | null }
  /** JSON objects one after the other. */
  | { format: "objects"; start: number };

/** Where reading starts or continues. */
export interface FilePosition {
  /** The first byte that was not read. */
  offset: number;
  /** Its line in a CSV file, counted from 1. In JSON, the number of the next object. */
  line: number;
  /** The number of cells of the first row of a CSV file, once it was read. */
  width?: number;
}

/** A row of a CSV file, or an object of a JSON file. */
export interface FileRow {
  /** The line of a CSV file in which the row begins, or the number of the object, counted from 1. */
  line: number;
  value: (string | null)[] | Record<string, unknown>;
  /** The text of a CSV row with its line end, as the file has it. */
  raw?: string;
  /** How many lines a quoted cell has taken in that look like rows themselves. */
  takenIn?: number;
  /** The first key that an object has twice. The values have names of their own, such as `url (2)`. */
  repeatedKey?: string;
  /** Where reading continues after the row. */
  next: FilePosition;
}

/** The bytes of a file from a position on, in pieces of any size. */
export type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
