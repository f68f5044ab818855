import { expect, it } from "vitest";
import { because } from "../../src/platform/http/faults.ts";
import { destinationError } from "../../src/links/destination-url.ts";
import { AppTarget, Destination } from "../../src/links/target-fields.ts";

it.each([
  ["https://example.com/page\u200b", "U+200B", 25],
  ["https://example.com/pa\u200bge", "U+200B", 23],
  ["https://example.com/page\u2060", "U+2060", 25],
  ["\u200ehttps://example.com/page", "U+200E", 1],
  ["\u202ahttps://example.com/page\u202c", "U+202A", 1],
  ["https://example.com/page\u200d", "U+200D", 25],
  ["https://example.com/page\u200c", "U+200C", 25],
  ["https://example.com/page\ufe0f", "U+FE0F", 25],
  ["https://example.com/page\u{e0020}", "U+E0020", 25],
  ["https://example.com/a\u00adb", "U+00AD", 22],
  ["https://example.com/\ufffc", "U+FFFC", 21],
])("a destination is refused with the name and the place of what nobody sees: %j", (url, name, place) => {
  expect(destinationError(url)).toBe(because("unreadable_character", { value: name, at: place }));
});

it.each(["\u2764\ufe0f/\u{1f469}\u200d\u{1f4bb}", "\u2764\ufe0f", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"])(
  "a destination may have the path %s",
  (path) => expect(destinationError(`https://example.com/${path}`)).toBeNull(),
);

it.each([
  ["https://example.com\\@evil.example/", "https://example.com/@evil.example/"],
  ["example.com\\a\\b?c=\\#\\", "https://example.com/a/b?c=\\#\\"],
])("the destination %s is stored as browsers read it", (given, stored) => {
  expect(AppTarget.parse(given)).toBe(stored);
  expect(Destination.parse(given)).toBe(stored);
});
