import { expect, it } from "vitest";
import { v5 } from "uuid";
import { nameId } from "../../../src/platform/lib/uuid.ts";

const DNS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

it("makes the id of RFC 9562, appendix A.4", () => {
  expect(nameId("www.example.com", DNS)).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

it.each(["", "a", "ü€😀", "\u{d800}".toWellFormed(), "x".repeat(100_000)])("agrees with the library (%#)", (name) => {
  expect(nameId(name, DNS)).toBe(v5(name, DNS));
});
