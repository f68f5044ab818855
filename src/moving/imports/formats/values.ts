import { MAX_TIMESTAMP_MS } from "../../../limits.ts";
import { isNone, readFlag } from "./words.ts";

/** Reads the values of cells. A cell of a CSV file is a text, one of a JSON file any value. */

/** Removes the apostrophe that a file of this service has in front of values (src/platform/lib/csv.ts). */
export function withoutFormulaEscape(text: string): string {
  return text.startsWith("'") ? text.slice(1) : text;
}

/** The text of a cell on one line, without surrounding spaces; null if there is none. */
export function toText(cell: unknown): string | null {
  if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
  if (typeof cell !== "string") return null;
  const text = cell.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return text === "" ? null : text;
}

const WHOLE_NUMBER = /^\d{1,15}(?:[.,]0+)?$/;
const IN_THOUSANDS = /^\d{1,3}(?:([,.'’ \u{A0}\u{202F}])\d{3})(?:\1\d{3})*$/u;

/** Like {@link toText}, of a time, a number or an address: null also for a word such as `never`. */
export function toTextUnlessNone(cell: unknown): string | null {
  const text = toText(cell);
  return text === null || isNone(text) ? null : text;
}

/** A count, also with separators of thousands such as 1,234; null for an empty cell, NaN for another text. */
export function toCount(cell: unknown): number | null {
  const text = toTextUnlessNone(cell);
  if (text === null) return null;
  if (IN_THOUSANDS.test(text)) return Number(text.replaceAll(/\D/g, ""));
  return WHOLE_NUMBER.test(text) ? Number.parseInt(text, 10) : Number.NaN;
}

/** Smaller numbers are seconds: as milliseconds they would be before March 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;
const NUMBER = /^\d{1,16}(?:\.\d+)?$/;
/** With `T` or a space, seconds or not, `Z`, `UTC`, an offset or nothing, which is UTC. */
const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2}(?:\.\d+)?))?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** Such as `Mon, 05 Jan 2026 10:00:00 GMT` or `Jan 5, 2026`. In a date of digits alone, day and month may be confused. */
const WITH_MONTH = /^[a-z0-9,:+() .-]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z0-9,:+() .-]*$/i;

/** Unix milliseconds; null for an empty cell, NaN for another text. */
export function toTime(cell: unknown): number | null {
  const text = toTextUnlessNone(cell);
  if (text === null) return null;
  const time = NUMBER.test(text) ? toMilliseconds(Number(text)) : parseTime(text);
  return time >= 0 && time <= MAX_TIMESTAMP_MS ? time : Number.NaN;
}

function toMilliseconds(number: number): number {
  return Math.floor(number < FIRST_MILLISECONDS ? number * 1_000 : number);
}

function parseTime(text: string): number {
  const [, day, minute = "00:00", second = "00", zone = "Z"] = ISO_TIME.exec(text) ?? [];
  if (day !== undefined) return isDay(day) ? Date.parse(`${day}T${minute}:${second}${toOffset(zone)}`) : Number.NaN;
  return WITH_MONTH.test(text) && /\d{4}/.test(text) ? Date.parse(text) : Number.NaN;
}

/** Whether the day exists. Date.parse takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function toOffset(zone: string): string {
  if (!/^[+-]/.test(zone)) return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** A list such as `a, b`, `a|b`, a JSON array of texts, or of objects with a name. */
export function toList(cell: unknown): string[] {
  const value = toJson(cell);
  const items = Array.isArray(value) ? value.map(toName) : (toText(cell) ?? "").split(/[,|]/);
  return items.map((item) => item.trim()).filter((item) => item !== "");
}

function toName(item: unknown): string {
  if (typeof item !== "object" || item === null) return toText(item) ?? "";
  const { name, tag } = item as { name?: unknown; tag?: unknown };
  return toText(name ?? tag) ?? "";
}

/** An object or an array, of a JSON file or as the text of a CSV file; else the text. null for an empty cell. */
export function toJson(cell: unknown): unknown {
  if (typeof cell !== "string") return cell ?? null;
  if (!/^\s*[[{]/.test(cell)) return toTextUnlessNone(cell);
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}

/** Whether a cell says yes; null: it says neither yes nor no. An empty one says no. */
export function toFlag(cell: unknown): boolean | null {
  const text = toText(cell);
  return text === null ? false : readFlag(text);
}
