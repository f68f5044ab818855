import { describe, expect, it } from "vitest";
import { because, readBecause } from "../../src/platform/http/faults.ts";
import { makeCode } from "../../src/qr/code.ts";
import { toSvg } from "../../src/qr/svg.ts";
import { call, createAccount, createLink, jsonOf, type ErrorJson } from "../support/api.ts";
import { logoError } from "../../src/qr/logo.ts";
import { readLogo } from "../../src/qr/logo-pixels.ts";
import { fakeImage, imageOf, toDataUri } from "../support/fake-image.ts";
import { CONTENT, postQr, svgOf } from "../support/qr.ts";
import { scan } from "../support/scanner.ts";
import { readSvg, type SvgCode } from "../support/svg.ts";

const PNG = fakeImage("png");

/** The code as a scanner sees it, in pixels of half a module: `isDark` gives the pixels of the logo. */
function withLogo({ modules, logo }: SvgCode, isDark: (x: number, y: number) => boolean): boolean[][] {
  const pixels = modules.flatMap((row) => [row, row].map((row) => row.flatMap((dark) => [dark, dark])));
  if (logo === null) throw new Error("no logo");
  for (let y = logo.y * 2; y < (logo.y + logo.height) * 2; y++) {
    const row = pixels[y];
    for (let x = logo.x * 2; x < (logo.x + logo.width) * 2; x++) if (row !== undefined) row[x] = isDark(x, y);
  }
  return pixels;
}

function faultOf(image: Uint8Array, type: "png" | "jpeg") {
  const reason = logoError(toDataUri(image, type));
  return reason && readBecause("logo", reason);
}

describe("a logo", () => {
  it.each(["png", "jpeg"] as const)(
    "that is a %s is drawn in the middle of an SVG, with the level H by default",
    async (type) => {
      const { key } = await createAccount();
      const logo = fakeImage(type);
      const svg = await svgOf(await postQr(key, { logo }));
      expect(svg.logo?.href).toBe(logo);
      expect(svg.modules).toHaveLength((await svgOf(await postQr(key, { level: "H" }))).width);
      const { x = 0, y = 0, width = 0, height = 0 } = svg.logo ?? {};
      expect([x + width / 2, y + height / 2, width]).toEqual([svg.width / 2, svg.width / 2, height]);
    },
  );

  it("covers at most 22 % of the code's width, with half a module of background around it", () => {
    for (const level of ["Q", "H"] as const) {
      for (let length = 1; length <= 1_273; length += 50) {
        const content = "a".repeat(length);
        const plain = readSvg(toSvg(makeCode(content, { level, margin: 0 }, "svg")));
        const svg = readSvg(toSvg(makeCode(content, { level, margin: 0, logo: PNG }, "svg")));
        const { x = 0, width = 0 } = svg.logo ?? {};
        const [start, end] = [x - 0.5, x + width + 0.5];
        expect(end - start).toBeLessThanOrEqual(0.22 * svg.width);
        expect(end - start).toBeGreaterThan(0.22 * svg.width - 2);
        const inside = (at: number) => at >= start && at < end;
        const expected = plain.modules.map((row, y) => row.map((dark, x) => dark && !(inside(x) && inside(y))));
        expect(svg.modules).toEqual(expected);
      }
    }
  });

  it("leaves every code readable, whatever the image is", () => {
    const pictures = [
      () => false,
      () => true,
      (x: number, y: number) => ((x >> 1) + (y >> 1)) % 2 === 0,
      (x: number) => x % 3 === 0,
    ];
    for (const level of ["Q", "H"] as const) {
      for (let length = 1; length <= 1_273; length += length < 120 ? 1 : 41) {
        const content = CONTENT.padEnd(length, "abcdefg").slice(0, length);
        const svg = readSvg(toSvg(makeCode(content, { level, logo: PNG }, "svg")));
        const picture = pictures[length % pictures.length] ?? (() => false);
        expect(scan(withLogo(svg, picture), 2)).toBe(content);
      }
    }
  });

  it("can be in the query, with + written as %2B", async () => {
    const { key } = await createAccount();
    const { id } = await createLink(key);
    const logo = PNG;
    expect(logo).toContain("+");
    const path = `/api/links/${id}/qr?logo=`;
    expect((await svgOf(await call("GET", path + encodeURIComponent(logo), { key }))).logo?.href).toBe(logo);
    const spoiled = await call("GET", path + logo, { key });
    expect((await jsonOf<ErrorJson>(spoiled)).details).toMatchObject([{ path: "logo", code: "not_an_image" }]);
  });

  it("can have up to 32 KiB", async () => {
    const { key } = await createAccount();
    expect((await postQr(key, { logo: fakeImage("png", 32_768) })).status).toBe(200);
    for (const bytes of [32_769, 32_770, 32_771, 45_000]) {
      const refused = await postQr(key, { logo: fakeImage("jpeg", bytes) });
      expect(refused.status).toBe(400);
      expect((await jsonOf<ErrorJson>(refused)).details).toMatchObject([
        { path: "logo", code: "too_many_bytes", max: 32_768, actual: bytes },
      ]);
    }
    expect((await postQr(key, { logo: fakeImage("png", 60_000) })).status).toBe(413);
  });

  const SVG = btoa("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>");
  it.each([
    ["a remote image", "https://example.com/logo.png"],
    ["a URL without a scheme", "//example.com/logo.png"],
    ["a script", "javascript:alert(1)"],
    ["an SVG", `data:image/svg+xml;base64,${SVG}`],
    ["an SVG that says it is a PNG", `data:image/png;base64,${SVG}`],
    ["a page", `data:text/html;base64,${btoa("<script>alert(1)</script>")}`],
    ["a page that says it is a JPEG", `data:image/jpeg;base64,${btoa("<script>alert(1)</script>")}`],
    ["a GIF", fakeImage("gif")],
    ["a GIF that says it is a PNG", fakeImage("gif", 128, "png")],
    ["a JPEG that says it is a PNG", fakeImage("jpeg", 128, "png")],
    ["a PNG that says it is a JPEG", fakeImage("png", 128, "jpeg")],
    ["a PNG cut off in its signature", `data:image/png;base64,${btoa("\x89PNG\r\n\x1a")}`],
    ["a type with parameters", PNG.replace(";base64", ";charset=utf-8;base64")],
    ["a data URI that is not base64", "data:image/png,%89PNG%0D%0A%1A%0A"],
    ["nothing after the comma", "data:image/png;base64,"],
    ["base64 without its padding", `data:image/png;base64,${btoa("\x89PNG\r\n\x1a\n").replaceAll("=", "")}`],
    ["base64 for URLs", "data:image/png;base64,iVBORw0KGgo-_w=="],
    ["base64 with a line break in it", PNG.replace("AAAA", "AA\nA")],
    ["base64 with a line break at its end", `${PNG}\n`],
    ["padding in the middle", PNG.replace("AAAA", "AA==")],
    ["an attribute after the image", `${PNG}" onload="alert(1)`],
    ["an element after the image", `${PNG}"/><script>alert(1)</script>`],
    ["two images", `${PNG},${PNG}`],
    ["spaces around it", ` ${PNG} `],
    ["an empty text", ""],
    ["a number", 1],
    ["null", null],
    ["an object", { href: PNG }],
  ])("is refused if it is %s", async (_, logo) => {
    const { key } = await createAccount();
    const response = await postQr(key, { logo });
    const { code, details } = await jsonOf<ErrorJson>(response);
    expect({ status: response.status, code, path: details?.[0]?.path }).toEqual({
      status: 400,
      code: "invalid_request",
      path: "logo",
    });
  });

  it.each(["png", "jpeg"] as const)("that is a %s is refused if a part of it is missing", async (type) => {
    const { key } = await createAccount();
    const whole = imageOf(type, 128);
    expect(logoError(toDataUri(whole, type))).toBeNull();
    for (let length = 1; length < whole.length; length++) {
      expect(logoError(toDataUri(whole.subarray(0, length), type)), String(length)).not.toBeNull();
    }
    const response = await postQr(key, { logo: toDataUri(whole.subarray(0, 120), type) });
    expect((await jsonOf<ErrorJson>(response)).details).toMatchObject([
      { path: "logo", code: "cut_image", value: type.toUpperCase() },
    ]);
  });

  it("is refused if it has no width, no height or a wrong checksum", () => {
    // The positions of the sizes in the images of `imageOf`.
    const jpeg = imageOf("jpeg", 128);
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0);
    for (const at of [frame + 6, frame + 8])
      expect(faultOf(jpeg.with(at, 0), "jpeg")).toMatchObject({ code: "cut_image", value: "JPEG" });
    const png = imageOf("png", 128);
    for (const at of [19, 23, 30])
      expect(faultOf(png.with(at, 7), "png")).toMatchObject({ code: "cut_image", value: "PNG" });
  });

  it("that is a JPEG may have 1,024 by 1,024 pixels in a PNG or PDF, and no more", async () => {
    const jpeg = imageOf("jpeg", 128);
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0);
    const ofHeight = (high: number, low: number) =>
      readLogo(
        toDataUri(
          jpeg
            .with(frame + 5, high)
            .with(frame + 6, low)
            .with(frame + 7, 4)
            .with(frame + 8, 0),
          "jpeg",
        ),
      );
    expect(await ofHeight(4, 1)).toBe(because("too_many_pixels", { max: 1_024 }));
    expect(await ofHeight(4, 0)).toBe(because("cannot_unpack"));
  });

  it("that a QR code of this service is made of is accepted", async () => {
    const { key } = await createAccount();
    const image = await (await postQr(key, { format: "png", size: 64 })).arrayBuffer();
    expect((await postQr(key, { logo: toDataUri(new Uint8Array(image), "png") })).status).toBe(200);
  });

  it("needs level Q or H, and pixels in a PNG or PDF, and the errors say so", async () => {
    const { key } = await createAccount();
    for (const level of ["L", "M"]) {
      const { details } = await jsonOf<ErrorJson>(await postQr(key, { logo: PNG, level }));
      expect(details).toMatchObject([{ path: "level", code: "low_level" }]);
    }
    for (const level of ["Q", "H"]) expect((await postQr(key, { logo: PNG, level })).status).toBe(200);
    for (const response of [
      await postQr(key, { logo: PNG, format: "png" }),
      await postQr(key, { logo: PNG, format: "pdf" }),
      await postQr(key, { logo: PNG }, { headers: { Accept: "image/png" } }),
    ]) {
      const { details } = await jsonOf<ErrorJson>(response);
      expect(details).toMatchObject([{ path: "logo", code: "cannot_unpack" }]);
    }
  });
});
