import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import jsQR from "jsqr";
import { encodeQR } from "qr";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { makeCode } from "../../src/qr/code.ts";
import type { QrOptions } from "../../src/qr/contract.ts";
import { drawingOf } from "../../src/qr/drawing.ts";
import { drawImage } from "../../src/qr/image.ts";
import { MAX_QR_LOGO_PERCENT, MIN_FRAMED_MARGIN_MODULES } from "../../src/qr/limits.ts";
import { readLogo, type Pixels } from "../../src/qr/logo-pixels.ts";

// Each style, read by two decoders: ZXing C++ and jsQR. The service has none. Each merge tries a quarter of the styles,
// `npm run test:nightly` all of them.

const CONTENT = "https://go.example.com/spring-26?qr=1";
/** A PNG of 2 by 2 pixels: red, green, blue, and one that is half transparent. */
const LOGO =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAYAAABytg0kAAAAGUlEQVR4nGO4w8Dwn2EBEDMw3PkvIiLSAAA5bQYS7GzC4gAAAABJRU5ErkJggg==";
/** 2 cm at 300 dpi, and about what a phone sees of it. */
const SIZES_PX = [236, 150];

beforeAll(() => {
  // Node has no scheduler, which Workers have.
  Object.assign(globalThis, { scheduler: { wait: async () => undefined } });
  const path = fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(path)).buffer } });
});

const ALL_STYLES = (["square", "rounded", "round"] as const).flatMap((dots) =>
  (["square", "rounded", "circle"] as const).flatMap((corners) =>
    [undefined, "Scan me"].flatMap((frameText) =>
      [undefined, LOGO].map((logo): QrOptions => ({ dots, corners, frameText, logo })),
    ),
  ),
);
/** With and without frame and logo are four. Each kind of dots and corners has one of them in its turn at a merge. */
const STYLES = ALL_STYLES.filter((_, index) => inject("isNightly") || index % 4 === Math.floor(index / 4) % 4);

it("each style is read by both decoders, at 2 cm and 300 dpi and at 150 pixels", async () => {
  const failures: string[] = [];
  for (const style of STYLES) {
    for (const size of SIZES_PX) {
      const pixels = await picture({ ...style, size });
      for (const [name, text] of await readings(pixels)) {
        if (text !== CONTENT) failures.push(`${name} at ${size}: ${nameOf(style)}`);
      }
    }
  }
  expect(failures).toEqual([]);
});

describe("a code of level H of which 15 % are covered", () => {
  it.each([
    ["by a white strip at its right side, between the corner patterns", "side"],
    ["by a white square in its middle, with the logo below", "middle"],
  ])("%s is read by both decoders in each style", async (_, place) => {
    const failures: string[] = [];
    // A logo is damage too: beside 5 % in the middle, level H does not correct 15 % elsewhere.
    for (const style of place === "side" ? STYLES.filter(({ logo }) => logo === undefined) : STYLES) {
      const options: QrOptions = { ...style, level: "H", size: 480 };
      const pixels = await picture(options);
      cover(pixels, options, place);
      for (const [name, text] of await readings(pixels))
        if (text !== CONTENT) failures.push(`${name}: ${nameOf(style)}`);
    }
    expect(failures).toEqual([]);
  });
});

describe("a code at the bounds of its style", () => {
  const BOUNDS = [
    { level: "Q", logoSize: MAX_QR_LOGO_PERCENT.Q },
    { level: "H", logoSize: MAX_QR_LOGO_PERCENT.H },
  ] as const;

  it("with the largest logo, dark or bright, and the smallest margin is read by one of the decoders", async () => {
    const failures: string[] = [];
    for (const style of STYLES.filter(({ logo }) => logo !== undefined)) {
      for (const bound of BOUNDS) {
        for (const length of [40, 200]) {
          const content = CONTENT.padEnd(length, "&utm_source=poster");
          const margin = style.frameText === undefined ? 0 : MIN_FRAMED_MARGIN_MODULES;
          const options: QrOptions = { ...style, ...bound, margin, size: 360 };
          const pixels = await picture(options, content);
          for (const ink of [0, 255]) {
            inkLogo(pixels, options, content, ink);
            // Each decoder misses a few pictures of other codes too, by their scale.
            const isRead = readByJsqr(pixels) === content || (await readByZxing(pixels)) === content;
            if (!isRead) failures.push(`${nameOf(style)} ${bound.level} ${length} ${ink}`);
          }
        }
      }
    }
    expect(failures).toEqual([]);
  });

  // Each pair has the least difference in brightness that a style may have, or up to 2 more.
  it.each([
    ["#d93c67", "#76f858"],
    ["#220199", "#a68118"],
    ["#4967fc", "#adee8f"],
    ["#41365f", "#36e708"],
  ])("with %s on %s is read by a decoder in each style", async (foreground, background) => {
    const failures: string[] = [];
    for (const style of STYLES) {
      const pixels = await picture({ ...style, foreground, background, size: 300 });
      if ((await readByZxing(pixels)) !== CONTENT) failures.push(nameOf(style));
    }
    expect(failures).toEqual([]);
  });
});

describe("a text", () => {
  const TEXTS = [
    "Blüte",
    "ä",
    "é",
    "ßä",
    "AäOöUü",
    "Straße 1, Düsseldorf",
    "ｱｲｳ",
    "東京タワー",
    "Москва",
    "مرحبا",
    "😀",
    "👩‍👩‍👧‍👦",
    "https://bücher.example/straße",
    "WIFI:S:Café;T:WPA;P:Schlüssel;;",
    "BEGIN:VCARD\r\nFN:Zoë Łuk\r\nEND:VCARD\r\n",
    "ü".repeat(127),
    "ü".repeat(128),
    "é".repeat(600),
    "日本".repeat(200),
  ];

  it.each(TEXTS)("beyond ASCII says that it is UTF-8, at every level: %s", async (content) => {
    for (const level of ["L", "M", "Q", "H"] as const) {
      const [result] = await resultsOf(await picture({ level, size: 1_000 }, content));
      expect([result?.text, result?.hasECI]).toEqual([content, true]);
    }
  });

  it("of ASCII has the same code as before, without an ECI", async () => {
    for (const content of [CONTENT, "12345", "TERN:", "~a b\n"]) {
      const [result] = await resultsOf(await picture({ size: 600 }, content));
      expect([result?.text, result?.hasECI]).toEqual([content, false]);
      const code = encodeQR(content, "raw", { ecc: "medium", border: 1 }).slice(1, -1);
      expect(makeCode(content, {}, "png").modules).toEqual(code.map((row) => row.slice(1, -1)));
    }
  });

  // ZBar reads bytes without an ECI as it guesses, such as "Blüte" as Big5.
  it.skipIf(!hasZbar()).each([CONTENT, ...TEXTS])("is read by ZBar: %s", async (content) => {
    const folder = mkdtempSync(join(tmpdir(), "tern-qr-"));
    const file = join(folder, "code.png");
    writeFileSync(file, await drawImage(makeCode(content, { size: 1_000 }, "png"), "png"));
    try {
      expect(execFileSync("zbarimg", ["--quiet", "--raw", "--nodbus", file]).toString()).toBe(`${content}\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Whether Debian's zbar-tools are installed, as `.ci/run` does. */
function hasZbar(): boolean {
  return spawnSync("zbarimg", ["--version"]).status === 0;
}

const nameOf = ({ dots, corners, frameText, logo }: QrOptions) =>
  [dots, corners, frameText === undefined ? "" : "frame", logo === undefined ? "" : "logo"].join(" ");

async function picture(options: QrOptions, content = CONTENT): Promise<Pixels> {
  const bytes = await drawImage(makeCode(content, options, "png"), "png");
  const pixels = await readLogo(`data:image/png;base64,${Buffer.from(bytes).toString("base64")}`);
  if (typeof pixels === "string") throw new Error(pixels);
  return pixels;
}

async function readings(pixels: Pixels): Promise<[string, string | undefined][]> {
  return [
    ["ZXing", await readByZxing(pixels)],
    ["jsQR", readByJsqr(pixels)],
  ];
}

function readByJsqr({ data, width, height }: Pixels): string | undefined {
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}

async function readByZxing(pixels: Pixels): Promise<string | undefined> {
  return (await resultsOf(pixels))[0]?.text;
}

function resultsOf({ data, width, height }: Pixels) {
  const image = { data: new Uint8ClampedArray(data), width, height, colorSpace: "srgb" } as const;
  return readBarcodes(image, { formats: ["QRCode"] });
}

/** Paints the logo black or white. */
function inkLogo({ data, width }: Pixels, options: QrOptions, content: string, ink: number): void {
  const drawing = drawingOf(makeCode(content, options, "png"));
  const { x, y, width: side } = drawing.logo ?? { x: 0, y: 0, width: 0 };
  const at = (module: number) => Math.round((module * width) / drawing.width);
  for (let row = at(y); row < at(y + side); row++)
    for (let column = at(x); column < at(x + side); column++)
      data.fill(ink, (row * width + column) * 4, (row * width + column) * 4 + 3);
}

/** Paints 15 % of the area of the code, without its margin, white. */
function cover({ data, width }: Pixels, options: QrOptions, place: string): void {
  const { modules } = makeCode(CONTENT, options, "png");
  const count = modules.length;
  const inner = count + 8;
  const frame = options.frameText === undefined ? 0 : 0.03 * inner;
  const scale = width / (inner + 2 * frame);
  const area = 0.15 * count * count;
  const [wide, high] = place === "middle" ? [Math.sqrt(area), Math.sqrt(area)] : [area / (count - 18), count - 18];
  const left = place === "middle" ? (count - wide) / 2 : count - wide;
  const top = place === "middle" ? (count - high) / 2 : 9;
  const at = (module: number) => Math.round((frame + 4 + module) * scale);
  for (let y = at(top); y < at(top + high); y++)
    data.fill(255, (y * width + at(left)) * 4, (y * width + at(left + wide)) * 4);
}
