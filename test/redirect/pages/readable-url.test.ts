import { expect, it } from "vitest";
import { isDistinct, toReadable } from "../../../src/redirect/pages/readable-url.ts";

const readable = (path: string) => toReadable(new URL(path, "https://example.com/").href);

it.each(["مرحبا/عالم", "?q=東京_日本", "#größe", "नमस्ते", "ภาษาไทย", "🐦", "a–b", "«oui»"])(
  "shows %s as it was written",
  (path) => {
    expect(readable(path)).toBe(`https://example.com/${path}`);
  },
);

it.each([
  ["a space", "%C2%A0"],
  ["a wide space", "%E3%80%80"],
  ["an override of the direction", "%E2%80%AE"],
  ["an isolate", "%E2%81%A7"],
  ["a mark of the direction", "%E2%80%8F"],
  ["a joiner of no width", "%E2%80%8D"],
  ["a letter of no width", "%E3%85%A4"],
  ["a line separator", "%E2%80%A8"],
  ["a look-alike of the slash", "%E2%88%95"],
  ["a wide slash", "%EF%BC%8F"],
  ["a look-alike of the dot", "%E3%80%82"],
  ["a private character", "%EE%80%80"],
  ["no character", "%F4%8F%BF%BF"],
  ["a mark without a letter", "%CC%B8"],
  ["bytes that are no UTF-8", "%E4%F6%FC"],
  ["a surrogate", "%ED%A0%80"],
  ["ASCII", "%2F%3Cb%3E%25%20"],
])("leaves %s encoded", (_, encoded) => {
  expect(toReadable(`https://example.com/${encoded}x`)).toBe(`https://example.com/${encoded}x`);
});

it("shows a mark after its letter", () => {
  expect(toReadable("https://example.com/a%CC%88%C3%A4%CC%88")).toBe("https://example.com/a%CC%88ä\u0308");
});

it("leads to the same place when it is copied", () => {
  const { href } = new URL("https://example.com/مرحبا/東京/%2F%E4?a=ü%20#ß");
  expect(toReadable(href)).not.toBe(href);
  expect(new URL(toReadable(href)).href).toBe(href);
});

it("knows names that look like no other", () => {
  for (const name of ["example.com", "مثال.إختبار", "日本語.jp", "한국.kr", "ไทย.com"])
    expect(isDistinct(name)).toBe(true);
  for (const name of ["аррӏе.com", "bücher.example", "goοgle.com", "com一.example", "مثالa.com", "\u3164.com"])
    expect(isDistinct(name)).toBe(false);
});
