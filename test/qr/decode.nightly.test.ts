import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeCode } from "../../src/qr/code.ts";
import { toPng } from "../../src/qr/png.ts";
import { toSvg } from "../../src/qr/svg.ts";
import { readPng } from "../support/png.ts";
import { scan } from "../support/scanner.ts";
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
          const png = await readPng(await toPng(code, null));
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

it("a scanner reads the content from the codes of plain ASCII of every length from 1 to 399 at every level", () => {
  const ascii = Array.from({ length: 399 }, (_, at) => String.fromCharCode(97 + (at % 26))).join("");
  for (const level of LEVELS) {
    for (let length = 1; length <= ascii.length; length++) {
      const content = ascii.slice(0, length);
      const { modules } = readSvg(toSvg(makeCode(content, { level }, "svg")));
      expect(scan(modules, 2)).toBe(content);
    }
  }
});
