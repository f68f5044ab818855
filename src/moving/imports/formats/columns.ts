import { FileError } from "./file.ts";
import { MAX_IMPORT_COLUMN_CHARS, MAX_IMPORT_COLUMNS } from "../limits.ts";

/** The names of the columns that the first row of a CSV file has. Each is named once. */
export function columnsOf(header: readonly string[]): string[] {
  const names = header.map((name) => name.trim().slice(0, MAX_IMPORT_COLUMN_CHARS));
  while (names.at(-1) === "") names.pop();
  if (names.length > MAX_IMPORT_COLUMNS) throw new FileError("file_too_wide", { max: MAX_IMPORT_COLUMNS });
  if (names.some((name) => /^https?:\/\//i.test(name))) throw new FileError("file_without_header");
  const columns: string[] = [];
  for (const [index, name] of names.entries()) columns.push(withoutRepeat(name || `Column ${index + 1}`, columns));
  return columns;
}

function withoutRepeat(name: string, others: readonly string[]): string {
  let unique = name;
  for (let number = 2; others.includes(unique); number++) unique = `${name} (${number})`;
  return unique;
}

/**
 * The cells of a JSON object, in the order of the columns. Names that are new are added to `columns`. Other values than texts
 * are kept as they are.
 */
export function cellsOf(object: Record<string, unknown>, columns: string[]): unknown[] {
  const cells: unknown[] = columns.map(() => null);
  for (const [name, value] of Object.entries(object)) {
    if (value === null || value === undefined) continue;
    const column = name.slice(0, MAX_IMPORT_COLUMN_CHARS);
    let index = columns.indexOf(column);
    if (index === -1) {
      if (columns.length === MAX_IMPORT_COLUMNS) throw new FileError("file_too_wide", { max: MAX_IMPORT_COLUMNS });
      index = columns.push(column) - 1;
    }
    cells[index] = value;
  }
  return cells;
}
