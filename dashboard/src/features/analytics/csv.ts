import { csvCell } from "#src/platform/lib/csv-cell.ts";
import { saveFile } from "../../lib/save-file.ts";

// Files of CSV (RFC 4180) that the browser writes, in the same form as those of the API.

/** Saves rows as a file. The first row has the names of the columns. */
export function downloadCsv(name: string, rows: readonly (readonly string[])[]): void {
  // Without a byte order mark, Excel reads UTF-8 as the system's legacy encoding.
  const text = `\u{FEFF}${rows.map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;
  saveFile(new Blob([text], { type: "text/csv" }), name);
}
