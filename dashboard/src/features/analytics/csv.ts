// Files of CSV (RFC 4180) that the browser writes, in the same form as those of the API.

/** What a formula begins with: the API puts an apostrophe in front of the same. */
const FORMULA = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function cell(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Saves rows as a file. The first row has the names of the columns. */
export function downloadCsv(name: string, rows: readonly (readonly string[])[]): void {
  // Without a byte order mark, Excel reads UTF-8 as the system's legacy encoding.
  const text = `\u{FEFF}${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
