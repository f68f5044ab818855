import { expect, it } from "vitest";
import { parseShortUrl, parseHost, toSlug } from "../../../../src/moving/imports/formats/short-url.ts";
import {
  toCount,
  toFlag,
  toList,
  toText,
  toTime,
  withoutFormulaEscape,
} from "../../../../src/moving/imports/formats/values.ts";

const NAN = Number.NaN;

it.each<[cell: unknown, count: number | null]>([
  ["1,234", 1_234],
  ["1.234.567", 1_234_567],
  ["1 234", 1_234],
  ["1\u{202F}234", 1_234],
  ["1'234", 1_234],
  ["12", 12],
  ["12.0", 12],
  [7, 7],
  [" ", null],
  [null, null],
  ["1,23", NAN],
  ["1,234.5", NAN],
  ["-1", NAN],
  ["1e3", NAN],
  ["many", NAN],
])("reads the number %j as %s", (cell, count) => {
  expect(toCount(cell)).toBe(count);
});

const SECOND = Date.UTC(2026, 0, 2, 3, 4, 5);

it.each<[cell: unknown, time: number | null]>([
  ["2026-01-02T03:04:05Z", SECOND],
  ["2026-01-02T03:04:05.678Z", SECOND + 678],
  ["2026-01-02T03:04:05+0000", SECOND],
  ["2026-01-02T04:34:05+01:30", SECOND],
  ["2026-01-02 03:04:05", SECOND],
  ["2026-01-02 03:04:05 UTC", SECOND],
  ["2026-01-02 03:04", SECOND - 5_000],
  ["2026-01-02", Date.UTC(2026, 0, 2)],
  [SECOND, SECOND],
  [SECOND / 1_000, SECOND],
  [String(SECOND / 1_000), SECOND],
  [`${SECOND}`, SECOND],
  ["Fri, 02 Jan 2026 03:04:05 GMT", SECOND],
  ["Jan 2, 2026 03:04:05", SECOND],
  ["", null],
  ["02/01/2026", NAN],
  ["2026-13-02", NAN],
  ["2026-02-30T00:00:00", NAN],
  ["yesterday", NAN],
  ["-5", NAN],
  ["99999999999999999", NAN],
])("reads the time %j as %s", (cell, time) => {
  expect(toTime(cell)).toBe(time);
});

it("reads lists, flags and texts", () => {
  expect(toList("a, b|c,,")).toEqual(["a", "b", "c"]);
  expect(toList(["a, b", 2, { name: "c" }, {}])).toEqual(["a, b", "2", "c"]);
  expect(toList('["x","y, z"]')).toEqual(["x", "y, z"]);
  expect(toList("[not json")).toEqual(["[not json"]);
  expect(["Yes", "true", "1", true, 1, "x"].map(toFlag)).not.toContain(false);
  expect(["No", "FALSE", "0", false, 0, "", null, undefined, "none"].map(toFlag)).not.toContain(true);
  expect(toText(" a\r\n\tb\u{0}c ")).toBe("a b c");
});

it("removes one apostrophe from the front", () => {
  expect(["'=1", "'+1", "'-a", "'@x", "'\t", "''=1", "'a", "=1", "'", ""].map(withoutFormulaEscape)).toEqual([
    "=1",
    "+1",
    "-a",
    "@x",
    "\t",
    "'=1",
    "a",
    "=1",
    "",
    "",
  ]);
});

it.each([
  ["https://bit.ly/3xYz", { host: "bit.ly", slug: "3xYz" }],
  ["bit.ly/team/3xYz", { host: "bit.ly", slug: "3xYz" }],
  ["HTTP://Go.Example:8080/Spring/?a=b#c", { host: "go.example:8080", slug: "Spring" }],
  ["go.example/a/b", { host: "go.example", slug: "a/b" }],
  ["https://bücher.example/%C3%BC", { host: "xn--bcher-kva.example", slug: "ü" }],
  ["https://go.example/%", { host: "go.example", slug: "%" }],
  ["https://go.example/", null],
  ["not a URL", null],
  ["", null],
])("takes host and slug from %s", (text, expected) => {
  expect(parseShortUrl(text)).toEqual(expected);
});

it("takes hosts and slugs from what services write", () => {
  expect(["Go.Example", "https://go.example/", "DEFAULT", "localhost", "a b", ""].map(parseHost)).toEqual([
    "go.example",
    "go.example",
    null,
    "localhost",
    null,
    null,
  ]);
  expect(["/keyword/", "keyword", "//a//", "%41"].map(toSlug)).toEqual(["keyword", "keyword", "a", "A"]);
});
