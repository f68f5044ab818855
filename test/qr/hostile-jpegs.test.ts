import { describe, expect, it } from "vitest";
import { MAX_QR_LOGO_SCANS } from "../../src/qr/limits.ts";
import { readLogo } from "../../src/qr/logo-pixels.ts";
import { createAccount, jsonOf, type ErrorJson } from "../support/api.ts";
import { toDataUri } from "../support/fake-image.ts";
import { correctionOf, jpegOf, scanOf, segment, type Jpeg } from "../support/jpeg.ts";
import { postQr } from "../support/qr.ts";

// JPEGs that cost their decoder much more than their bytes tell.

/** The answer to a request for a PNG with this logo. */
async function answerTo(logo: Uint8Array) {
  const { key } = await createAccount();
  const response = await postQr(key, { logo: toDataUri(logo, "jpeg"), format: "png" });
  if (response.status === 200) return { status: 200 };
  const { details = [] } = await jsonOf<ErrorJson>(response);
  return { status: response.status, faults: details.map(({ path, code, message }) => [path, code, message]) };
}

const refused = (code: string, message: string) => ({ status: 400, faults: [["logo", code, message]] });
const CANNOT_UNPACK = refused("cannot_unpack", "cannot be unpacked: save it as another PNG");

const corrections = (count: number) => Array.from({ length: count }, () => correctionOf());
const START_OF_SCAN = [0xff, 0xda];
/** The name, a version, and no transformation of colours. The decoder asks for it if there are four components. */
const ADOBE = segment(0xee, [...new TextEncoder().encode("Adobe"), 0, 100, 0, 0, 0, 0, 0]);

describe("a JPEG as a logo", () => {
  it("is unpacked", async () => {
    const pixels = await readLogo(toDataUri(jpegOf({ width: 9, height: 5 }), "jpeg"));
    const grey = Array.from({ length: 9 * 5 }, () => [128, 128, 128, 255]).flat();
    expect(pixels).toMatchObject({ width: 9, height: 5, data: Uint8Array.from(grey) });
  });

  it("that claims 65,535 by 65,535 pixels is refused, and so is one row too many", async () => {
    const tooMany = refused("too_many_pixels", "has too many pixels for a PNG or PDF: make it at most 1024 by 1024");
    const scans = [scanOf(128 * 128)];
    expect(await answerTo(jpegOf({ width: 65_535, height: 65_535, scans }))).toEqual(tooMany);
    expect(await answerTo(jpegOf({ width: 1_024, height: 1_025 }))).toEqual(tooMany);
    expect(await answerTo(jpegOf({ width: 1_024, height: 1_024 }))).toEqual({ status: 200 });
  });

  it("has up to 32 scans, and not thousands, of which each visits every coefficient", async () => {
    const ofScans = (count: number) =>
      jpegOf({ width: 1_024, height: 1_024, isProgressive: true, scans: corrections(count) });
    expect(ofScans(2_700).length).toBeLessThan(32 * 1_024);
    expect(await answerTo(ofScans(2_700))).toEqual(CANNOT_UNPACK);
    expect(await answerTo(ofScans(MAX_QR_LOGO_SCANS + 1))).toEqual(CANNOT_UNPACK);
    expect(await answerTo(ofScans(MAX_QR_LOGO_SCANS))).toEqual({ status: 200 });
  });

  it("that is cut is refused, wherever that is", async () => {
    const whole = jpegOf({ width: 64, height: 64, isProgressive: true, scans: corrections(3) });
    expect(await answerTo(whole)).toEqual({ status: 200 });
    const secondScan = whole.lastIndexOf(0xda) - 5;
    for (const length of [40, secondScan, whole.length - 4, whole.length - 1])
      expect(await answerTo(whole.subarray(0, length))).toEqual(refused("cut_image", "is not a whole JPEG"));
    // Its end is there, and pixels before it are not.
    const scans = [scanOf(20)];
    expect(await answerTo(jpegOf({ width: 64, height: 64, scans }))).toEqual(CANNOT_UNPACK);
  });

  it("may have the longest restart interval, and metadata in which scans are", async () => {
    const interval = segment(0xdd, [0xff, 0xff]);
    const thumbnail = segment(0xe1, corrections(1_000).flat());
    const before = [...interval, ...thumbnail];
    expect(await readLogo(toDataUri(jpegOf({ width: 24, height: 24, before }), "jpeg"))).toMatchObject({ width: 24 });
  });

  // As libjpeg makes them for some qualities, such as 21.
  it("may have 255 beside the number of a frame or a scan in a table of quantization", async () => {
    const table = segment(0xdb, [0, ...Array.from({ length: 32 }, () => START_OF_SCAN).flat()]);
    expect(await answerTo(jpegOf({ width: 24, height: 24, before: table }))).toEqual({ status: 200 });
  });

  const manyScans = (changed: Jpeg): Jpeg => ({ isProgressive: true, scans: corrections(2), ...changed });
  it.each<[string, Jpeg]>([
    ["coefficients beyond the 64 of a block", manyScans({ scans: [correctionOf(1, 255)] })],
    ["coefficients that end before they begin", manyScans({ scans: [correctionOf(9, 8)] })],
    [
      "coefficients of two components in a scan",
      manyScans({ factors: [0x11, 0x11, 0x11], scans: [segment(0xda, [2, 1, 0, 2, 0, 1, 63, 0x10]), [0, 0, 0, 0]] }),
    ],
    ["a scan of no component", manyScans({ scans: [segment(0xda, [0, 0, 63, 0])] })],
    ["a scan whose length is another", manyScans({ scans: [segment(0xda, [1, 1, 0, 0, 63, 0, 0]), [0, 0]] })],
    ["the start of a scan in a header", { before: segment(0xee, START_OF_SCAN) }],
    ["two frames", { before: [...segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])] }],
    ["a frame that is cut", { scans: [segment(0xc1, [8, 0, 8, 0, 8, 9]), scanOf(1)] }],
    ["12 bits", { precision: 12 }],
    ["two components", { factors: [0x11, 0x11] }],
    ["255 components", { factors: Array.from({ length: 255 }, () => 0x11) }],
    ["sampling factors of 15", { factors: [0xff] }],
    [
      "more memory than its pixels need",
      { width: 1, height: 65_535, factors: [0x44, 0x44, 0x44, 0x44], before: ADOBE },
    ],
  ])("is refused with %s", async (_, jpeg) => {
    expect(await answerTo(jpegOf(jpeg))).toEqual(CANNOT_UNPACK);
  });
});
