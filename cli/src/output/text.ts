import { stripVTControlCharacters } from "node:util";

const ELLIPSIS = "…";

/** Matches what would move the cursor or change the terminal: control characters, and marks that reverse the direction. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Makes a text of the service safe for a line of a terminal. */
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
