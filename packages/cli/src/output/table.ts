import { isTerminal, paint, print, terminalColumns, type Style } from "./terminal.ts";
import { formatNumber, formatTime, pad, toLine, truncate, widthOf } from "./text.ts";

const GAP = "  ";
/** A column that gives way to others in a narrow terminal keeps at least this many characters. */
const MIN_FLEXIBLE_WIDTH = 12;

/** A column of a table of `Row`. */
export interface Column<Row> {
  title: string;
  /** A time is a `Date`. */
  value: (row: Row) => string | number | boolean | Date | null;
  style?: (row: Row) => Style | undefined;
  /** Whether it is cut off where the terminal is too narrow. */
  flexible?: boolean;
}

/**
 * Prints rows: as an aligned table in a terminal; in a pipe without titles and colours, one line a row, separated by tabs
 * and complete.
 */
export function printTable<Row>(columns: Column<Row>[], rows: Row[]): void {
  const forPeople = isTerminal();
  const cells = rows.map((row) => columns.map((column) => cellText(column.value(row), forPeople)));
  if (!forPeople) {
    for (const line of cells) print(line.join("\t"));
    return;
  }
  const widths = fit(
    columns,
    columns.map(({ title }, index) => Math.max(widthOf(title), ...cells.map((line) => widthOf(line[index] ?? "")))),
  );
  const isNumeric = columns.map(({ value }) => rows.some((row) => typeof value(row) === "number"));
  const layOut = (texts: string[], styleAt: (index: number) => Style | undefined) =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        const cell = pad(truncate(text, width), width, isNumeric[index] ? "right" : "left");
        const style = styleAt(index);
        return style === undefined ? cell : paint(style, cell);
      })
      .join(GAP)
      .trimEnd();
  print(
    layOut(
      columns.map(({ title }) => title),
      () => "dim",
    ),
  );
  for (const [number, row] of rows.entries())
    print(layOut(cells[number] ?? [], (index) => columns[index]?.style?.(row)));
}

function cellText(value: string | number | boolean | Date | null, forPeople: boolean): string {
  if (value === null) return forPeople ? "–" : "";
  if (value instanceof Date) return formatTime(value.getTime(), forPeople);
  if (typeof value === "number") return forPeople ? formatNumber(value) : String(value);
  return toLine(String(value));
}

/** Shortens the flexible columns, so that the table is no wider than the terminal. */
function fit<Row>(columns: Column<Row>[], widths: number[]): number[] {
  let excess = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - terminalColumns();
  return widths.map((width, index) => {
    if (excess <= 0 || !columns[index]?.flexible) return width;
    const reduced = Math.max(Math.min(width, MIN_FLEXIBLE_WIDTH), width - excess);
    excess -= width - reduced;
    return reduced;
  });
}

/** Prints names and values: aligned in a terminal, separated by tabs in a pipe. Values that are `undefined` are left out. */
export function printDetails(details: Record<string, string | number | boolean | Date | null | undefined>): void {
  const rows = Object.entries(details).filter(([, value]) => value !== undefined);
  const forPeople = isTerminal();
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) {
    const text = cellText(value ?? null, forPeople);
    print(forPeople ? `${paint("dim", pad(name, width))}${GAP}${text}` : `${name}\t${text}`);
  }
}
