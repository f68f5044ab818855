import * as fc from "fast-check";
import { expect, it } from "vitest";
import { columnsOf } from "../../../../src/moving/imports/formats/columns.ts";
import { FailureList } from "../../../../src/moving/imports/formats/failure-list.ts";
import type { FileRow, Layout } from "../../../../src/moving/imports/formats/file.ts";
import { findLayout } from "../../../../src/moving/imports/formats/layout.ts";
import { readFile, toBytes } from "./support.ts";

const REASON = 'Not imported: url must be a URL, "x" is none; say\r\nanother one.';

async function listOf(file: string): Promise<{ list: string; rows: FileRow[]; delimiter: string }> {
  const layout = findLayout(toBytes(file)) as Extract<Layout, { format: "csv" }>;
  const [header, ...rows] = await readFile(file, 7);
  const list = new FailureList(layout, header?.raw ?? "", columnsOf(header?.value as string[]));
  const lines = rows.map(({ line, raw }) => list.rowOf([String(line), REASON, "not_a_url"], raw ?? ""));
  return { list: list.header + lines.join(""), rows, delimiter: layout.delimiter };
}

const bare = fc.string({ unit: fc.constantFrom("a", "1", " ", "'", '"', "=", "é", "😀", "\\", "|"), maxLength: 5 });
const quoted = fc
  .string({ unit: fc.constantFrom("a", ",", ";", "\t", "\r\n", "\n", '""', "é"), maxLength: 5 })
  .map((text) => `"${text}"`);
/** Cells as files have them. A bare cell may have quotation marks inside, and not at its ends. */
const cell = fc.oneof(
  quoted,
  bare.map((text) => text.replaceAll(/^"+|"+$/g, "")),
);
/** More, as many or fewer cells than columns. The first one is not empty, so that the row is no blank line. */
const row = fc.tuple(fc.constantFrom("x", "https://maps.example/?a=1", '"q"'), fc.array(cell, { maxLength: 5 }));

it("gives each row back as it was, with all its cells, behind its line, reason and fault, and again when it is imported itself", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(",", ";", "\t"),
      fc.array(fc.constantFrom("\r\n", "\n", "\r", "\n\n", "\r\n\r\n"), { minLength: 7, maxLength: 7 }),
      fc.constantFrom("", "\u{FEFF}"),
      fc.boolean(),
      async (table, delimiter, newLines, bom, isEnded) => {
        const lines = [["url", '"the slug"', "title"], ...table.map(([first, rest]) => [first as string].concat(rest))];
        const ends = lines.map((_, index) => (index < table.length || isEnded ? (newLines[index] as string) : ""));
        const texts = lines.map((cells, index) => cells.join(delimiter) + ends[index]?.replace(/(\r\n|\n)\1/, "$1"));
        const file = bom + lines.map((cells, index) => cells.join(delimiter) + ends[index]).join("");
        const { list, rows } = await listOf(file);
        expect(rows.map(({ raw }) => raw)).toEqual(texts.slice(1));
        for (const text of texts) expect(list).toContain(delimiter + text);

        const again = await readFile(list, 11);
        const expected = rows.map(({ line, value }) => [String(line), REASON, "not_a_url"].concat(value as string[]));
        expect(again.map(({ value }) => value)).toEqual([
          ["line", "reason", "fault", "url", "the slug", "title"],
          ...expected,
        ]);
        const second = await listOf(list);
        expect(second.delimiter).toBe(delimiter);
        const rest = (text: string) => text.replaceAll(/^\d+/gm, "N");
        expect(rest(second.list)).toBe(rest(list));
      },
    ),
    { numRuns: 300 },
  );
});
