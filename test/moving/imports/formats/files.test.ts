import { stringify } from "csv-stringify/sync";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Fault } from "../../../../src/platform/http/faults.ts";
import { toBytes, inPieces, readFile, readImport } from "./support.ts";
import { FileError } from "../../../../src/moving/imports/formats/file.ts";
import { findLayout } from "../../../../src/moving/imports/formats/layout.ts";
import { MAX_IMPORT_COLUMNS, MAX_IMPORT_ROW_BYTES } from "../../../../src/moving/imports/limits.ts";

const cell = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "",
    "=1+1",
    '"',
    '""',
    "a,b",
    "a;b",
    "a\tb",
    "a\r\nb",
    "\n",
    "\r",
    " x ",
    "1,234",
    "é",
    "😀",
    "\u{FEFF}",
  ),
);

/** Rows of three cells. The first one is never empty. */
const rows = fc.array(fc.tuple(fc.constantFrom("x", '"', "a\r\nb", "é,"), cell, cell), { maxLength: 8 });

it("reads every table of texts, whatever its delimiter and line ends are, in pieces of any size, and from each row on", async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(",", ";", "\t"),
      fc.constantFrom("\r\n", "\n", "\r"),
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      async (table, delimiter, newLine, quoted, bom, size) => {
        const all = [["a", "b", "c"], ...table];
        // Quotation marks are optional only around cells without line ends and quotation marks.
        const text = stringify(all, { delimiter, record_delimiter: newLine, quoted, bom, quoted_match: /[\r\n]/ });
        const read = await readFile(text, size);
        expect(read.map(({ value }) => value)).toEqual(all.map((row) => row.map((value) => value.toWellFormed())));
        for (const [index, { next }] of read.entries())
          expect(await readFile(text, size, next)).toEqual(read.slice(index + 1));
      },
    ),
    { numRuns: 100 },
  );
});

it("reads every JSON, in pieces of any size, and from each object on", async () => {
  // Of two fields with the same name, the last one counts, in a program and in a file.
  const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(object, { maxLength: 5 }),
      fc.constantFrom("array", "links", "lines"),
      fc.constantFrom(undefined, 2, "\t"),
      fc.boolean(),
      fc.integer({ min: 1, max: 50 }),
      async (objects, shape, indent, bom, size) => {
        const plain =
          shape === "array"
            ? JSON.stringify(objects, null, indent)
            : shape === "links"
              ? JSON.stringify({ count: objects.length, links: objects, cursor: "]" }, null, indent)
              : `${objects.map((value) => `${JSON.stringify(value)}\n`).join("")}{"last":1}`;
        const escaped = plain.replaceAll(
          /[^\t\n -~]/g,
          (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
        for (const json of [plain, escaped]) {
          const text = bom ? `\u{FEFF}${json}` : json;
          const read = await readFile(text, size);
          const expected = JSON.parse(
            JSON.stringify(shape === "lines" ? [...objects, { last: 1 }] : objects),
          ) as object[];
          expect(read.map(({ value }) => value)).toEqual(expected);
          expect(read.map(({ line }) => line)).toEqual(expected.map((_, index) => index + 1));
          for (const [index, { next }] of read.entries())
            expect(await readFile(text, size, next)).toEqual(read.slice(index + 1));
        }
      },
    ),
    { numRuns: 100 },
  );
});

it("numbers rows by the line in which they begin", async () => {
  const { rows: read } = await readImport(
    'url,title\r\n\r\nhttps://a.example,"1\r\n2\r\n3"\r\n\r\n\nhttps://b.example,x\rhttps://c.example,y',
  );
  expect(read.map(({ line, input }) => [line, input["url"]])).toEqual([
    [3, "https://a.example"],
    [8, "https://b.example"],
    [9, "https://c.example"],
  ]);
});

it("takes a quotation mark inside of a cell as a character", async () => {
  const { rows: read } = await readImport('url,title\nhttps://a.example,5" screen\nhttps://b.example,"a" b\n');
  expect(read.map(({ input }) => input["title"])).toEqual(['5" screen', '"a" b']);
});

it("accepts rows with too few cells, and refuses those with too many", async () => {
  const { rows: read } = await readImport(
    "url,slug,title\nhttps://a.example\nhttps://b.example,b,B,,\nhttps://c.example,c,C,more\n",
  );
  expect(read.map(({ slug, faults }) => ({ slug, faults }))).toEqual([
    { slug: null, faults: [] },
    { slug: "b", faults: [] },
    { slug: "c", faults: [expect.objectContaining({ path: "row", code: "wrong_cell_count", actual: 4, max: 3 })] },
  ]);
});

it("reads a file that no service is known for by the names of its columns", async () => {
  const file = "Full URL;Back-half;Keyword;Visits;Note\nhttps://a.example/1;x;my-slug;3;A note\n";
  const { source, mapping, rows: read } = await readImport(file);
  expect(source).toBe("csv");
  expect(mapping).toEqual({ url: "Full URL", slug: "Keyword", importedClicks: "Visits", title: "Note" });
  expect(read[0]).toMatchObject({
    slug: "my-slug",
    importedClicks: 3,
    input: { url: "https://a.example/1", title: "A note" },
  });
});

it("gives each column a name of its own", async () => {
  const { columns, raw } = await readImport("url,,url,url (2),,\nhttps://a.example,1,2,3,,\n");
  expect(columns).toEqual(["url", "Column 2", "url (2)", "url (2) (2)"]);
  expect(raw[0]?.cells).toEqual(["https://a.example", "1", "2", "3", "", ""]);
});

const DEEP = 100_000;

/** The beginning of a ZIP archive. */
function zipOf(name: string): Uint8Array {
  const head = new Uint8Array(30);
  head.set([0x50, 0x4b, 0x03, 0x04]);
  head[26] = name.length;
  return new Uint8Array([...head, ...toBytes(name), 0xff, 0xfe]);
}

function utf16(text: string, isLittleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let index = 0; index < text.length; index++) view.setUint16(2 * index, text.charCodeAt(index), isLittleEndian);
  return new Uint8Array(view.buffer);
}

it.each([
  ["little", "\u{FEFF}"],
  ["big", "\u{FEFF}"],
  ["little", ""],
  ["big", ""],
])("reads UTF-16 of %s endian with the byte order mark '%s', in pieces of any size", async (endian, mark) => {
  const text = "url\ttitle\r\nhttps://a.example\tÉté 😀 日本\r\n".concat('https://b.example\t"x\ty"\r\n'.repeat(40));
  const bytes = utf16(mark + text, endian === "little");
  for (const size of [1, 3, 600, 10_000]) {
    const { rows: read } = await readImport(bytes, size);
    expect(read).toHaveLength(41);
    expect(read[0]?.input).toMatchObject({ url: "https://a.example", title: "Été 😀 日本" });
    expect(read[40]?.input).toMatchObject({ title: "x y" });
  }
});

it.each<[name: string, file: string | Uint8Array, fault: Partial<Fault>]>([
  ["nothing", "", { code: "file_empty" }],
  ["only blanks", "\u{FEFF}\n \r\n", { code: "file_empty" }],
  ["Latin-1", new Uint8Array([...toBytes("url,title\nhttps://a.example,"), 0xe9, 0x0a]), { code: "file_not_readable" }],
  ["a cut character", toBytes("url,title\nhttps://a.example,é").subarray(0, -1), { code: "file_not_readable" }],
  ["UTF-32", new Uint8Array([0xff, 0xfe, 0, 0, 0x75, 0, 0, 0]), { code: "file_not_readable" }],
  ["gzip", new Uint8Array([0x1f, 0x8b, 8, 0]), { code: "file_is_compressed" }],
  ["a ZIP archive", zipOf("links.csv"), { code: "file_is_archive" }],
  ["a workbook of Excel", zipOf("[Content_Types].xml"), { code: "file_is_workbook" }],
  ["a workbook of LibreOffice", zipOf("mimetype"), { code: "file_is_workbook" }],
  ["an old workbook", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), { code: "file_is_workbook" }],
  ["a PDF", new Uint8Array([...toBytes("%PDF-1.7\n%"), 0xe2, 0xe3]), { code: "file_is_pdf" }],
  ["a web page", "<!DOCTYPE html><title>Sign in</title>", { code: "file_is_web_page" }],
  ["half a character of UTF-16", new Uint8Array([...utf16("url\nx", true), 0x20]), { code: "file_not_readable" }],
  [
    "an open quotation mark",
    'url,title\nhttps://a.example,x\n\n"https://b.example,x',
    { code: "file_open_quote", at: 4 },
  ],
  [
    "an endless cell",
    `url,title\nhttps://a.example,"${"x".repeat(MAX_IMPORT_ROW_BYTES)}\n`,
    { code: "file_row_too_long", at: 2, max: MAX_IMPORT_ROW_BYTES },
  ],
  ["no names of columns", "https://a.example,a\nhttps://b.example,b\n", { code: "file_without_header" }],
  ["too many columns", `${"x,".repeat(MAX_IMPORT_COLUMNS)}y\n`, { code: "file_too_wide", max: MAX_IMPORT_COLUMNS }],
  ["JSON that ends early", '[{"url":"https://a.example"},{"url":"htt', { code: "file_json_cut", actual: 1 }],
  ["JSON lines that end early", '{"url":"https://a.example"}\n{"url"', { code: "file_json_cut", actual: 1 }],
  ["broken JSON", '[{"url":"https://a.example"},{url:1}]', { code: "file_not_json", at: 2 }],
  ["a missing comma", '[{"url":"https://a.example"} {"url":1}]', { code: "file_not_json" }],
  ["deep arrays", `[{"a":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}]`, { code: "file_object_too_deep", at: 1 }],
  ["deep objects", `[${'{"a":'.repeat(DEEP)}`, { code: "file_object_too_deep", at: 1 }],
  [
    "a long object",
    `[{"a":"${"x".repeat(2 * MAX_IMPORT_ROW_BYTES)}"}]`,
    { code: "file_object_too_long", at: 1, max: MAX_IMPORT_ROW_BYTES },
  ],
  [
    "an object without an end",
    `[{"a":[${"1,".repeat(MAX_IMPORT_ROW_BYTES)}`,
    { code: "file_object_too_long", at: 1, max: MAX_IMPORT_ROW_BYTES },
  ],
  [
    "many fields",
    JSON.stringify([Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`f${n}`, n]))]),
    { code: "file_too_wide", max: MAX_IMPORT_COLUMNS },
  ],
])("refuses %s and says why", async (_, file, fault) => {
  const error = await readImport(file).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FileError);
  expect((error as FileError).fault).toMatchObject(fault);
});

it("keeps the rows before an error", async () => {
  const rows: unknown[] = [];
  const bytes = toBytes(`[{"a":1},{"a":2},${" ".repeat(100)}oops`);
  const { readRows, firstPosition } = await import("../../../../src/moving/imports/formats/layout.ts");
  const layout = findLayout(bytes);
  const start = firstPosition(layout);
  const reading = async () => {
    for await (const page of readRows(inPieces(bytes.subarray(start.offset), 30), layout, start)) rows.push(...page);
  };
  await expect(reading()).rejects.toMatchObject({ fault: { code: "file_not_json", at: 3 } });
  expect(rows).toHaveLength(2);
});

it("takes an item that is no object as one without fields", async () => {
  const { rows: read } = await readImport('[1,"x",null,[{"url":"https://a.example"}],{"url":"https://b.example"}]');
  expect(read.map(({ line, input }) => [line, input["url"]])).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
    [4, undefined],
    [5, "https://b.example"],
  ]);
});
