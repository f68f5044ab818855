import { IMPORT_SAMPLE_CHARS } from "./limits.ts";

/** The text of a cell as a CSV file has it. */
export function toCellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  return typeof cell === "string" ? cell : JSON.stringify(cell);
}

/** The beginning of a text. */
export function withoutUnread(text: string): string {
  return text.length <= IMPORT_SAMPLE_CHARS ? text : `${text.slice(0, IMPORT_SAMPLE_CHARS).toWellFormed()}…`;
}
