import type { QrStyle } from "@tern/sdk";
import { Option, type Command } from "commander";
import { UsageError } from "./errors.ts";
import { readInputFile } from "./input-file.ts";
import { pick, wholeNumber } from "./options.ts";

/** How a QR code looks, as options. */
export interface StyleOptions extends Omit<QrStyle, "logo"> {
  /** The path of an image. */
  logo?: string;
}

/** Fields of a style whose options have the same values. */
const SAME_AS_FIELDS = [
  "margin",
  "level",
  "foreground",
  "background",
  "dots",
  "corners",
  "frameText",
  "frameColor",
  "logoSize",
] as const;

export const STYLE_FIELDS = [...SAME_AS_FIELDS, "logo"] as const;

/** Maximum size of the file of a logo, in bytes: that of the API. */
const MAX_LOGO_BYTES = 32_768;

export function addStyleOptions(command: Command): Command {
  return command
    .option("--margin <modules>", "the empty border", wholeNumber)
    .addOption(new Option("--level <level>", "error correction of the image").choices(["L", "M", "Q", "H"]))
    .option("--foreground <color>", "such as #12492b")
    .option("--background <color>", "such as #ffffff")
    .addOption(new Option("--dots <form>", "form of the modules").choices(["square", "rounded", "round"]))
    .addOption(new Option("--corners <form>", "form of the corner patterns").choices(["square", "rounded", "circle"]))
    .option("--frame-text <text>", "a frame with this call to action, such as Scan me")
    .option("--frame-color <color>", "of the frame")
    .option("--logo <file>", `a PNG or JPEG of at most ${MAX_LOGO_BYTES / 1_024} KiB in the centre`)
    .option("--logo-size <percent>", "width of the logo, in percent of the code: 10 to 30", wholeNumber);
}

/** The style that the options name. Reads the file of the logo. */
export function styleOf(options: StyleOptions): QrStyle {
  const { logo } = options;
  return { ...pick(options, SAME_AS_FIELDS), ...(logo !== undefined && { logo: readLogo(logo) }) };
}

/** The image in a file as a data URI. */
function readLogo(file: string): string {
  const bytes = readInputFile(file);
  const type = [...TYPES].find(([, signature]) => bytes.subarray(0, signature.length).equals(signature))?.[0];
  if (type === undefined) throw new UsageError(`${file} is no PNG or JPEG.`);
  if (bytes.byteLength > MAX_LOGO_BYTES)
    throw new UsageError(`${file} has ${bytes.byteLength} bytes. A logo has at most ${MAX_LOGO_BYTES}.`);
  return `data:${type};base64,${bytes.toString("base64")}`;
}

/** The bytes with which files of a type begin. */
const TYPES = new Map([
  ["image/png", Buffer.from([0x89, 0x50, 0x4e, 0x47])],
  ["image/jpeg", Buffer.from([0xff, 0xd8])],
]);
