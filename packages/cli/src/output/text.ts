import { stripVTControlCharacters } from "node:util";

const ELLIPSIS = "…";

/** Matches what would change the terminal or the order of a line: control characters, and marks of direction. */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]|\r(?!\n)/g;

/** Writes each unsafe character as `\u202e` or the like. JSON stays equal JSON. */
export function escapeUnsafe(text: string): string {
  return text.replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Makes one line of a text, without its unsafe characters. */
export function toLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\t\n\r]+/g, " ")
    .replaceAll(UNSAFE, "");
}

/** The number of characters that a terminal shows, without colours. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(plain)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Characters that take two columns: East Asian ones, and emoji. */
const WIDE = /\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]/u;

/** Cuts a text off at `columns`, with an ellipsis. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return kept + ELLIPSIS;
}

export function pad(text: string, columns: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return align === "left" ? text + space : space + text;
}

export const formatNumber = (number: number): string => number.toLocaleString("en-US");

/** A time as people read it, in the time zone of this computer; in a pipe ISO 8601 in UTC. */
export function formatTime(ms: number | null, isForPeople: boolean): string {
  if (ms === null) return isForPeople ? "–" : "";
  const iso = new Date(ms).toISOString();
  if (!isForPeople) return iso;
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString();
  return `${local.slice(0, 10)} ${local.slice(11, 16)}`;
}

/** `1 link`, `2 links`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}
