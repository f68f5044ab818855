import { expect, it } from "vitest";
import { namesType, preferredType } from "../../../src/platform/lib/accept.ts";

const PAGE = "text/html";
const JSON_TYPE = "application/json";

it.each([
  [null, PAGE],
  ["", PAGE],
  ["*/*", PAGE],
  ["application/json", JSON_TYPE],
  ["APPLICATION/JSON", JSON_TYPE],
  ["application/json;charset=utf-8", JSON_TYPE],
  ["application/json, text/html", PAGE],
  ["text/html;q=0.1, application/json;q=0.2", JSON_TYPE],
  ["text/html;q=0.5, application/json", JSON_TYPE],
  ["text/html ; Q=0.5 , application/json ; q=0.9", JSON_TYPE],
  ["text/html;level=1;q=0.4,application/json;q=0.5", JSON_TYPE],
  ["application/json;q=0.9, text/html;q=0.9", PAGE],
  ["application/json;q=0.8, */*", PAGE],
  ["application/json, */*", JSON_TYPE],
  ["application/json, text/plain, */*", JSON_TYPE],
  ["application/*;q=0.9, text/*;q=0.8", JSON_TYPE],
  ["application/json;q=0", null],
  ["application/json;q=0, */*", PAGE],
  ["text/html;q=0, */*", JSON_TYPE],
  ["text/html;q=0.000, text/*", null],
  ["text/html;q=5, application/json;q=x", PAGE],
  ["image/png", null],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8", PAGE],
  ["html, /, a/b/c, ;q=1, ,", null],
])("of a page and JSON, Accept: %s prefers %s", (header, preferred) => {
  expect(preferredType(header, [PAGE, JSON_TYPE])).toBe(preferred);
});

it("reads a long header in linear time", () => {
  const header = `${"text/x;a=b;".repeat(20_000)},${" ".repeat(200_000)},application/json`;
  expect(preferredType(header, [PAGE, JSON_TYPE])).toBe(JSON_TYPE);
});

it.each([
  ["text/html,*/*;q=0.8", true],
  ["application/json, text/html;q=0.1", true],
  ["text/html;q=0, */*", false],
  ["*/*", false],
  ["text/*", false],
  ["", false],
])("Accept: %s names pages: %s", (header, named) => {
  expect(namesType(header, PAGE)).toBe(named);
});
