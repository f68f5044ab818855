import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { csvLines } from "../../../src/platform/lib/csv.ts";

const columns = { first: (row: Row) => row[0], second: (row: Row) => row[1] };
type Row = readonly [string | null, string | null];

const value = fc.option(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", ",", '"', '""', "\r", "\n", "a\r\nb", " ", "'", "=1", "-1"),
  ),
);

it("any values are read back as they are, with an apostrophe before those that a spreadsheet would run", () => {
  const isRun = /^['=+\-@\t\r\n＝＋－＠]/;
  const read = (text: string | null) => (text === null ? "" : isRun.test(text) ? `'${text}` : text);
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value)), (rows) => {
      const lines = csvLines(columns, rows);
      const parsed = parse(lines, { record_delimiter: "\r\n" });
      expect(parsed).toEqual(rows.map((row) => row.map(read)));
    }),
  );
});

it("only values with a comma, a quotation mark or a line end are quoted, and null is empty", () => {
  const rows: Row[] = [
    ["a b", null],
    ["a,b", 'a"b'],
    ["a\rb", "a\nb"],
    ["", "é"],
  ];
  expect(csvLines(columns, rows)).toBe('a b,\r\n"a,b","a""b"\r\n"a\rb","a\nb"\r\n,é\r\n');
});
