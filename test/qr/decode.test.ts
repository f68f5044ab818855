import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCode } from "../../src/qr/code.ts";
import { toPng } from "../../src/qr/png.ts";
import { toSvg } from "../../src/qr/svg.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";
import { readPng } from "../support/png.ts";
import { scan, scanBytes } from "../support/scanner.ts";
import { readSvg } from "../support/svg.ts";

const LEVELS = ["L", "M", "Q", "H"] as const;
const UNITS = {
  digits: Array.from("0123456789"),
  "upper case": Array.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"),
  ASCII: Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  "European letters": Array.from("äöüßéèçñøåłžĞşαβγЖЩ€–„“"),
  "Asian letters": Array.from("日本語中文한국어ไทยहिन्दीالعربيةעברית"),
  emoji: ["😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇺🇦", "1️⃣", "👍🏽", "𝔘", "\u{10ffff}"],
};

/** A text of these units, with up to this number of bytes. */
const text = fc
  .record({
    units: fc.oneof(
      ...Object.values(UNITS).map((units) => fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 40 })),
      fc.array(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), { minLength: 1, maxLength: 40 }),
      fc.array(fc.constantFrom(...Object.values(UNITS).flat()), { minLength: 1, maxLength: 40 }),
    ),
    bytes: fc.oneof(
      fc.integer({ min: 30, max: 100 }),
      fc.integer({ min: 100, max: 400 }),
      fc.integer({ min: 400, max: 1_200 }),
    ),
  })
  .map(({ units, bytes }) => {
    let content = units[0] ?? "";
    for (let next = 1; ; next++) {
      const longer = content + (units[next % units.length] ?? "");
      if (bytesOf(longer).byteLength > bytes) return content;
      content = longer;
    }
  });

function bytesOf(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

describe("a scanner reads the content from the image", () => {
  it("for 500 texts of all kinds and lengths, at every level, in both formats, with any colours and margins", async () => {
    const request = fc.record({
      content: text,
      level: fc.constantFrom(...LEVELS),
      margin: fc.integer({ min: 2, max: 16 }),
      foreground: fc.constantFrom("#000000", "#123456", "#7a0000"),
      background: fc.constantFrom("#ffffff", "#ffee88", "#c8d8ff"),
      format: fc.constantFrom("svg" as const, "png" as const),
      spare: fc.integer({ min: 0, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ content, format, spare, ...options }) => {
        const { modules, style } = makeCode(content, { ...options, size: 2_048 }, format);
        const size = Math.max(64, 3 * (modules.length + 2 * options.margin) + spare);
        const code = { modules, style: { ...style, size } };
        if (format === "png") {
          const png = await readPng(await toPng(code));
          expect({ size: png.size, palette: png.palette }).toEqual({
            size,
            palette: [options.background, options.foreground],
          });
          expect(scan(png.pixels)).toBe(content);
        } else {
          const svg = readSvg(toSvg(code));
          expect(svg).toMatchObject({ size, background: options.background, foreground: options.foreground });
          expect(scan(svg.modules, 3)).toBe(content);
        }
      }),
      { numRuns: 500 },
    );
  });
});

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
        ["7".repeat(digits), "7", `${digits + 1} digits`],
        ["TERN:".repeat(1_000).slice(0, characters), "A", `${characters + 1} upper-case`],
        ["a".repeat(bytes), "a", `${bytes + 1} bytes`],
        [`${"é".repeat((bytes - 1) / 2)}a`, "a", `${bytes + 1} bytes`],
        [`${"🦅".repeat((bytes - (bytes % 4)) / 4)}${"a".repeat(bytes % 4)}`, "a", `${bytes + 1} bytes`],
      ] as const;
      for (const [content, more, length] of cases) {
        const body = { content, level, format: "png", size: 185 * 3 };
        const fits = await call("POST", "/api/qr", { key, body });
        expect(scan((await readPng(new Uint8Array(await fits.arrayBuffer()))).pixels)).toBe(content);
        const refused = await call("POST", "/api/qr", { key, body: { ...body, content: content + more } });
        expect({ status: refused.status, ...(await jsonOf<ErrorJson>(refused)) }).toMatchObject({
          status: 400,
          code: "invalid_request",
          details: [{ path: "content", message: expect.stringContaining(length) }],
        });
      }
    },
    30_000,
  );

  it.each([
    ["nothing", "", "empty"],
    ["half a surrogate pair", "a\ud83d", "Unicode"],
    ["a number", 7, "string"],
    ["no content at all", undefined, "required"],
    ["more than any code holds", "a".repeat(60_000), "too long: it has 60000 bytes"],
  ])("refuses %s as content", async (_, content, message) => {
    const { key } = await createAccount();
    const response = await call("POST", "/api/qr", { key, body: { content } });
    const error = await jsonOf<ErrorJson>(response);
    expect({ status: response.status, path: error.details?.[0]?.path }).toEqual({ status: 400, path: "content" });
    expect(error.error).toContain(message);
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

  it("are in the codes of plain ASCII of every length from 1 to 399 at every level", () => {
    const ascii = Array.from({ length: 399 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");
    for (const level of LEVELS) {
      for (let length = 1; length <= ascii.length; length++) {
        const content = ascii.slice(0, length);
        const { modules } = readSvg(toSvg(makeCode(content, { level }, "svg")));
        expect(scan(modules, 2)).toBe(content);
      }
    }
  });
});
