import { findRepeatedKey } from "../../../platform/http/json-keys.ts";
import type { ImportField } from "./fields.ts";
import { toCount, toJson, toText, toTextUnlessNone, toTime, withoutFormulaEscape } from "./values.ts";
import { isNone, readFlag, readState } from "./words.ts";
import { MAX_QUOTED_WORD_CHARS } from "../limits.ts";
import { fault, type Fault } from "../../../platform/http/faults.ts";

/** What a row lost or changed on its way. */
export type Notice =
  /** A text was longer than it may be, and its end was cut off. */
  | "shortened"
  /** The time of creation, or the number of clicks, could not be read. */
  | "unreadable_time"
  | "unreadable_clicks"
  /** The word for the state of the link is not known. */
  | "unknown_status"
  /** The link had a password at its old service. */
  | "password";

export interface RowFault extends Fault {
  /** Missing: a fault that its path says enough about. `text` is what is wrong in the row. */
  problem?: { kind: "unknown_word" | "taken_in" | "repeated_key"; text: string };
}

/** How rows of a file are read. */
export interface RowReading {
  /** Where in a row each field is. */
  indexes: ReadonlyMap<ImportField, number>;
  /** The number of columns. */
  width: number;
  /** Whether texts that spreadsheets would run as formulas have an apostrophe in front. */
  hasFormulaEscapes: boolean;
}

/** The cells of a row by field. Collects what is wrong with them. */
export class Cells {
  readonly notices: Notice[] = [];
  readonly faults: RowFault[] = [];
  readonly #cells: readonly unknown[];
  readonly #reading: RowReading;

  constructor(cells: readonly unknown[], reading: RowReading) {
    this.#cells = cells;
    this.#reading = reading;
  }

  get(field: ImportField): unknown {
    const index = this.#reading.indexes.get(field);
    const cell = index === undefined ? null : this.#cells[index];
    return typeof cell === "string" && this.#reading.hasFormulaEscapes ? withoutFormulaEscape(cell) : cell;
  }

  text(field: ImportField): string | null {
    return toText(this.get(field));
  }

  /** Of several values with one name, all but the last would be lost without a word. */
  json(field: ImportField): unknown {
    const cell = this.get(field);
    const key = typeof cell === "string" ? findRepeatedKey(cell) : null;
    if (key !== null) this.faults.push(repeatedKeyFault(field, key));
    return toJson(cell);
  }

  address(field: ImportField): string | null {
    return toTextUnlessNone(this.get(field));
  }

  /** `byDefault` is what an empty cell, or one such as `NULL`, says. An unknown word is a fault, and never a yes. */
  flag(field: ImportField, byDefault = false): boolean {
    const word = this.text(field);
    if (word === null) return byDefault;
    const flag = readFlag(word, byDefault);
    if (flag !== null) return flag;
    const text = word.slice(0, MAX_QUOTED_WORD_CHARS).toWellFormed();
    const reason = fault(field, "unknown_word", { value: text });
    this.faults.push({ ...reason, problem: { kind: "unknown_word", text } });
    return false;
  }

  state(): ReturnType<typeof readState> {
    const text = this.text("status");
    const state = text === null || isNone(text) ? "active" : readState(text);
    if (state === null) this.notices.push("unknown_status");
    return state;
  }

  prose(field: ImportField, maxChars: number): string | null {
    const text = this.text(field)?.toWellFormed().normalize("NFC") ?? null;
    if (text === null || text.length <= maxChars) return text;
    this.notices.push("shortened");
    // Not within a surrogate pair.
    return text
      .slice(0, maxChars)
      .replace(/[\u{D800}-\u{DBFF}]$/u, "")
      .trim();
  }

  /** As a request has it: a text or a number that is none is refused later. */
  count(field: ImportField): number | string | null {
    const count = toCount(this.get(field));
    return Number.isNaN(count) ? this.text(field) : count;
  }

  clicks(): number {
    const clicks = toCount(this.get("importedClicks")) ?? 0;
    if (Number.isSafeInteger(clicks)) return clicks;
    this.notices.push("unreadable_clicks");
    return 0;
  }

  createdAt(): number | null {
    const time = toTime(this.get("createdAt"));
    if (!Number.isNaN(time)) return time;
    this.notices.push("unreadable_time");
    return null;
  }

  start(): number | string | null {
    const time = toTime(this.get("startsAt"));
    return Number.isNaN(time) ? this.text("startsAt") : time;
  }

  /** A day stays a text: the API takes it as the end of the day. */
  expiry(): number | string | null {
    const time = toTime(this.get("expiresAt"));
    const text = this.text("expiresAt");
    return Number.isNaN(time) || /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") ? text : time;
  }
}

export function repeatedKeyFault(path: string, key: string): RowFault {
  const text = key.slice(0, MAX_QUOTED_WORD_CHARS).toWellFormed();
  return { ...fault(path, "repeated_cell_name", { value: text }), problem: { kind: "repeated_key", text } };
}
