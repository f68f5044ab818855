import { describe, expect, it } from "vitest";
import { makeCode } from "../../src/qr/code.ts";
import { toSvg } from "../../src/qr/svg.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";
import { readPng } from "../support/png.ts";
import { scan, scanBytes } from "../support/scanner.ts";
import { readSvg } from "../support/svg.ts";

const LEVELS = ["L", "M", "Q", "H"] as const;

function bytesOf(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

describe("the API", () => {
  /** The capacity of the largest code (ISO/IEC 18004, table 7). */
  const CAPACITIES = [
    ["L", 7_089, 4_296, 2_953],
    ["M", 5_596, 3_391, 2_331],
    ["Q", 3_993, 2_420, 1_663],
    ["H", 3_057, 1_852, 1_273],
  ] as const;

  it.each(CAPACITIES)(
    "takes at level %s up to %i digits, %i upper-case characters or %i bytes, and not one more",
    async (level, digits, characters, bytes) => {
      const { key } = await createAccount();
      const cases = [
        ["7".repeat(digits), "7", { actual: digits + 1, unit: "digits", max: digits }],
        [
          "TERN:".repeat(1_000).slice(0, characters),
          "A",
          { actual: characters + 1, unit: "alphanumeric", max: characters },
        ],
        ["a".repeat(bytes), "a", { actual: bytes + 1, unit: "bytes", max: bytes }],
        [`${"é".repeat((bytes - 1) / 2)}a`, "a", { actual: bytes + 1, unit: "bytes", max: bytes }],
        [
          `${"🦅".repeat((bytes - (bytes % 4)) / 4)}${"a".repeat(bytes % 4)}`,
          "a",
          { actual: bytes + 1, unit: "bytes", max: bytes },
        ],
      ] as const;
      for (const [content, more, values] of cases) {
        const body = { content, level, format: "png", size: 185 * 3 };
        const fits = await call("POST", "/api/qr", { key, body });
        expect(scan((await readPng(new Uint8Array(await fits.arrayBuffer()))).pixels)).toBe(content);
        const refused = await call("POST", "/api/qr", { key, body: { ...body, content: content + more } });
        expect({ status: refused.status, ...(await jsonOf<ErrorJson>(refused)) }).toMatchObject({
          status: 400,
          code: "invalid_request",
          details: [{ path: "content", code: "content_too_long", level, ...values }],
        });
      }
    },
    30_000,
  );

  it.each([
    ["nothing", "", { code: "empty" }],
    ["half a surrogate pair", "a\ud83d", { code: "unreadable_character" }],
    ["a number", 7, { code: "wrong_type", expected: "string" }],
    ["no content at all", undefined, { code: "required" }],
    ["more than any code holds", "a".repeat(60_000), { code: "content_too_long", actual: 60_000, unit: "bytes" }],
  ])("refuses %s as content", async (_, content, fault) => {
    const { key } = await createAccount();
    const response = await call("POST", "/api/qr", { key, body: { content } });
    const error = await jsonOf<ErrorJson>(response);
    expect([response.status, error.details]).toMatchObject([400, [{ path: "content", ...fault }]]);
  });
});

// The widely used encoder qrcode-svg 1.1 fails these.
describe("only the bytes of the text", () => {
  it.each([
    ["a letter with an accent", "é"],
    ["text in other alphabets", "Straße 東京 Москва"],
    ["an emoji", "😀"],
    ["a family of emoji", "👩‍👩‍👧‍👦"],
    ["the last code point", "\u{10ffff}"],
    ["a contact with line breaks", "BEGIN:VCARD\r\nFN:Zoë Łuk\r\nEND:VCARD\r\n"],
    ["a NUL and other control characters", "a\u0000\u0007\u001b"],
  ])("are in the code of %s: valid UTF-8 without a byte order mark", (_, content) => {
    for (const level of LEVELS) {
      const { modules } = readSvg(toSvg(makeCode(content, { level }, "svg")));
      expect(scanBytes(modules, 4)).toEqual(bytesOf(content));
    }
  });

  it("are in the code of a text that begins with a byte order mark", () => {
    const { modules } = readSvg(toSvg(makeCode("\ufeffa", {}, "svg")));
    expect(scanBytes(modules, 4)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61));
  });
});
