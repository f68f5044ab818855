import { describe, expect, it } from "vitest";
import { makeCode } from "../../src/qr/code.ts";
import { toSvg } from "../../src/qr/svg.ts";
import { createAccount, jsonOf, type ErrorJson } from "../support/api.ts";
import { CONTENT, extentOf, pngOf, postQr, svgOf } from "../support/qr.ts";
import { scan } from "../support/scanner.ts";
import { readXml } from "../support/svg.ts";

// The code of CONTENT at level M has 25 modules in a row.
const MODULES = 25;

/** The status, and the first fault. */
async function refusalOf(response: Response) {
  const { details } = await jsonOf<ErrorJson>(response);
  return { status: response.status, ...details?.[0] };
}

describe("size and margin", () => {
  it("are 512 pixels and 4 modules by default", async () => {
    const { key } = await createAccount();
    const svg = await svgOf(await postQr(key));
    expect(svg).toMatchObject({
      size: 512,
      width: MODULES + 8,
      background: "#ffffff",
      foreground: "#000000",
      logo: null,
    });
    expect(extentOf(svg.modules)).toEqual({ top: 4, bottom: 28, left: 4, right: 28 });
    expect((await pngOf(await postQr(key, { format: "png" }))).size).toBe(512);
  });

  it.each([
    // 64 / 33: 1 pixel for each module, 31 remain. 330 / 33: 10 pixels, none remain. 2,048 / 33: 62 pixels, 2 remain.
    [64, 4, 1],
    [330, 4, 10],
    [331, 4, 10],
    [2_048, 4, 62],
    [100, 0, 4],
    [114, 16, 2],
    [64, 16, 1],
  ])("of a PNG are exactly %i pixels and at least %i modules, of %i whole pixels each", async (size, margin, scale) => {
    const { key } = await createAccount();
    const png = await pngOf(await postQr(key, { format: "png", size, margin }));
    const start = Math.floor((size - MODULES * scale) / 2);
    const end = start + MODULES * scale - 1;
    expect(png.size).toBe(size);
    expect(extentOf(png.pixels)).toEqual({ top: start, bottom: end, left: start, right: end });
    expect(start).toBeGreaterThanOrEqual(margin * scale);
    const { modules } = await svgOf(await postQr(key, { size, margin: 0 }));
    const expected = modules.flatMap((row) =>
      Array<boolean[]>(scale).fill(row.flatMap((dark) => Array<boolean>(scale).fill(dark))),
    );
    expect(png.pixels.slice(start, end + 1).map((row) => row.slice(start, end + 1))).toEqual(expected);
  });

  it.each([
    ["size", 63],
    ["size", 2_049],
    ["size", 100.5],
    ["size", "512"],
    ["size", null],
    ["margin", -1],
    ["margin", 17],
    ["margin", 0.5],
    ["margin", true],
  ])("are refused with %s %j", async (field, value) => {
    const { key } = await createAccount();
    expect(await refusalOf(await postQr(key, { [field]: value }))).toMatchObject({ status: 400, path: field });
  });

  it.each(["svg", "png"])(
    "of a %s must leave a pixel for each module, or the error names the minimum",
    async (format) => {
      const { key } = await createAccount();
      const fields = { content: "a".repeat(2_953), level: "L", margin: 16, format };
      const refused = await refusalOf(await postQr(key, { ...fields, size: 208 }));
      expect(refused).toMatchObject({ status: 400, path: "size", code: "code_too_small", min: 209 });
      expect((await postQr(key, { ...fields, size: 209 })).status).toBe(200);
    },
  );

  it.each([
    ["L", "01", 25],
    ["M", "00", 25],
    ["Q", "11", 25],
    ["H", "10", 29],
  ])("are those of a code whose format information has level %s", async (level, bits, width) => {
    const { key } = await createAccount();
    const svg = await svgOf(await postQr(key, { level, margin: 0 }));
    // The first two bits of the format information are masked with 10 (ISO/IEC 18004, 7.9).
    const [first, second] = svg.modules[8] ?? [];
    expect([`${first === true ? 0 : 1}${second === true ? 1 : 0}`, svg.width]).toEqual([bits, width]);
  });

  it("are refused together with a level that does not exist", async () => {
    const { key } = await createAccount();
    for (const level of ["l", "X", "", 1, "LM", null])
      expect(await refusalOf(await postQr(key, { level }))).toMatchObject({ status: 400, path: "level" });
  });
});

describe("colours", () => {
  it("are drawn as requested in both formats, in their canonical spelling", async () => {
    const { key } = await createAccount();
    const fields = { foreground: "#A0C", background: "#FFEEdd" };
    const svg = await svgOf(await postQr(key, fields));
    expect(svg).toMatchObject({ foreground: "#aa00cc", background: "#ffeedd" });
    const png = await pngOf(await postQr(key, { ...fields, format: "png" }));
    expect(png.palette).toEqual(["#ffeedd", "#aa00cc"]);
    expect([scan(svg.modules, 4), scan(png.pixels)]).toEqual([CONTENT, CONTENT]);
  });

  const HOSTILE = [
    'red"/><script>alert(1)</script>',
    '#000" onload="alert(1)',
    "#000'/><image href='https://evil.example/'/>",
    "#000;background:url(https://evil.example/)",
    "url(https://evil.example/#a)",
    "&#35;000000",
    "#000000\n",
    "\n#000000",
    "#000\u0000",
    "#00000",
    "#0000000",
    "#00000000",
    "#0000",
    "#ggg",
    "#",
    "",
    "000",
    "black",
    "transparent",
    "currentColor",
    "rgb(0,0,0)",
    "var(--x)",
    "＃000",
    "#٠٠٠",
  ];

  it.each(["foreground", "background"])("that are not #rgb or #rrggbb are refused as %s", async (field) => {
    const { key } = await createAccount();
    for (const value of [...HOSTILE, 0, null, ["#000"], { toString: "#000" }]) {
      for (const format of ["svg", "png"]) {
        const refused = await refusalOf(await postQr(key, { [field]: value, format }));
        expect({ value, ...refused }).toMatchObject({ value, status: 400, path: field });
      }
    }
  });

  it("are escaped in their attribute, even if they were not validated", () => {
    const { modules, style } = makeCode(CONTENT, {}, "svg");
    for (const value of HOSTILE) {
      const elements = readXml(
        toSvg({ modules, style: { ...style, foreground: value, background: value, logo: value } }),
      );
      expect(elements.map(({ name }) => name)).toEqual(["svg", "rect", "path", "image"]);
      expect(elements[1]?.attributes).toEqual({ width: "33", height: "33", fill: value });
      expect(elements[2]?.attributes).toEqual({ fill: value, d: expect.stringMatching(/^[\dMhvz -]+$/) });
      expect(elements[3]?.attributes["href"]).toBe(value);
      expect(Object.keys(elements[3]?.attributes ?? {})).toHaveLength(5);
    }
  });

  it.each([
    ["#fff", "#fff", { code: "not_darker" }],
    ["#000", "#000", { code: "not_darker" }],
    ["#fff", "#000", { code: "not_darker" }],
    ["#cccccc", "#333333", { code: "not_darker" }],
    ["#ff0", "#fff", { code: "low_contrast", actual: 1.07, min: 3 }],
    ["#959595", "#fff", { code: "low_contrast", actual: 2.99, min: 3 }],
    ["#f00", "#0f0", { code: "low_contrast", actual: 2.91 }],
    ["#000", "#555", { code: "low_contrast", actual: 2.81 }],
    ["#00f", "#808080", { code: "low_contrast", actual: 2.17 }],
  ])("%s on %s are refused, because scanners cannot distinguish them", async (foreground, background, fault) => {
    const { key } = await createAccount();
    const refused = await refusalOf(await postQr(key, { foreground, background }));
    expect(refused).toMatchObject({ status: 400, path: "foreground", ...fault });
  });

  it.each([
    ["#949494", "#fff"],
    ["#000", "#5b5b5b"],
    ["#f00", "#fff"],
    ["#00f", "#ff0"],
  ])("%s on %s are accepted", async (foreground, background) => {
    const { key } = await createAccount();
    expect((await postQr(key, { foreground, background })).status).toBe(200);
  });
});
