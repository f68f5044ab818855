import { MAX_MESSAGE_TEXT_CHARS, MAX_MESSAGE_URL_CHARS } from "../limits.ts";

/** How text looks. Every chat service has these. */
export interface Style {
  bold?: true;
  italic?: true;
  strike?: true;
  code?: true;
}

/** Plain text of one style. No chat service may read mark-up in it. With a URL, it is a link. */
export interface Run extends Style {
  text: string;
  url?: string | undefined;
}

/** The lines of a message. */
export type Lines = readonly (readonly Run[])[];

/** In one line, and not longer than {@link MAX_MESSAGE_TEXT_CHARS}. */
export function clip(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > MAX_MESSAGE_TEXT_CHARS ? `${line.slice(0, MAX_MESSAGE_TEXT_CHARS).toWellFormed()}…` : line;
}

/** A URL as a link. A long one is shown in part, and is no link. */
export function toUrlRun(text: string): Run {
  const url = URL.parse(text)?.href ?? text;
  return isShortUrl(url) ? { text: url, url } : { text: `${url.slice(0, MAX_MESSAGE_URL_CHARS).toWellFormed()}…` };
}

export const isShortUrl = (url: string): boolean => url.length <= MAX_MESSAGE_URL_CHARS;

export const plainText = (lines: Lines): string =>
  lines.map((line) => line.map(({ text }) => text).join("")).join("\n");

/** Splits runs at their line breaks. */
export function toLines(runs: readonly Run[]): Run[][] {
  const lines: Run[][] = [[]];
  for (const run of runs)
    for (const [index, text] of run.text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ ...run, text });
    }
  return lines;
}

/** The lines up to this many characters, followed by an ellipsis. A URL that is cut off is no link any more. */
export function cutLines(lines: Lines, chars: number): Run[][] {
  const kept: Run[][] = [];
  let left = chars;
  for (const line of lines) {
    const runs: Run[] = [];
    kept.push(runs);
    for (const run of line) {
      if (run.text.length > left) {
        const { url, ...style } = run;
        const text = `${run.text.slice(0, left).toWellFormed()}…`;
        runs.push(url === run.text ? { ...style, text } : { ...run, text });
        return kept;
      }
      runs.push(run);
      left -= run.text.length;
    }
    // The line break.
    left = Math.max(0, left - 1);
  }
  return kept;
}
