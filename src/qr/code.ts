import { encodeQR } from "qr";
import { invalidRequest } from "../http/errors.ts";
import { contrastError } from "../lib/colour.ts";
import type { Format, Level, QrOptions } from "./contract.ts";
import { DEFAULT_QR_MARGIN_MODULES, DEFAULT_QR_SIZE_PX, MAX_QR_CONTENT_CHARS } from "./limits.ts";

// No I/O: makes the code that is to be drawn from the options of a request.

/** The options of a code, with the defaults filled in. */
interface Style {
  level: Level;
  /** Width and height of the image, in pixels. */
  size: number;
  /** Width of the margin, in modules. */
  margin: number;
  /** `#rrggbb`. */
  foreground: string;
  /** `#rrggbb`. */
  background: string;
  /** A data URI. */
  logo: string | null;
}

export interface Code {
  /** Rows from the top; true is dark. As many columns as rows. */
  modules: boolean[][];
  style: Style;
}

const LEVEL_NAMES = { L: "low", M: "medium", Q: "quartile", H: "high" } as const;

/** The capacity of the largest code (ISO/IEC 18004, table 7), by level and kind of content. */
const CAPACITY: Record<Level, Record<Unit, number>> = {
  L: { digits: MAX_QR_CONTENT_CHARS, "upper-case letters and digits": 4_296, "bytes of UTF-8": 2_953 },
  M: { digits: 5_596, "upper-case letters and digits": 3_391, "bytes of UTF-8": 2_331 },
  Q: { digits: 3_993, "upper-case letters and digits": 2_420, "bytes of UTF-8": 1_663 },
  H: { digits: 3_057, "upper-case letters and digits": 1_852, "bytes of UTF-8": 1_273 },
};
type Unit = "digits" | "upper-case letters and digits" | "bytes of UTF-8";

/** Encodes the content. Throws a 400 if the options cannot be combined or the content is too long. */
export function makeCode(content: string, options: QrOptions, format: Format): Code {
  const style = toStyle(options);
  throwErrors([
    { path: "foreground", message: contrastError(style.foreground, style.background) },
    { path: "level", message: levelError(style) },
    { path: "logo", message: style.logo !== null && format === "png" ? "can only be drawn in the format svg" : null },
    { path: "content", message: lengthError(content, style.level) },
  ]);
  // The library always draws a border, so it is cut off.
  const bordered = encodeQR(content, "raw", { ecc: LEVEL_NAMES[style.level], border: 1 });
  const modules = bordered.slice(1, -1).map((row) => row.slice(1, -1));
  throwErrors([{ path: "size", message: sizeError(style, modules.length) }]);
  return { modules, style };
}

function toStyle(options: QrOptions): Style {
  const logo = options.logo ?? null;
  return {
    level: options.level ?? (logo === null ? "M" : "H"),
    size: options.size ?? DEFAULT_QR_SIZE_PX,
    margin: options.margin ?? DEFAULT_QR_MARGIN_MODULES,
    foreground: options.foreground ?? "#000000",
    background: options.background ?? "#ffffff",
    logo,
  };
}

function throwErrors(errors: { path: string; message: string | null }[]): void {
  const details = errors.flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
  if (details.length > 0) throw invalidRequest(details);
}

function levelError({ level, logo }: Style): string | null {
  return logo !== null && (level === "L" || level === "M")
    ? "must be Q or H with a logo, because the logo covers modules"
    : null;
}

function sizeError({ size, margin }: Style, modules: number): string | null {
  const least = modules + 2 * margin;
  return size < least ? `must be at least ${least} here: the code with its margin is ${least} modules wide` : null;
}

/** Returns why the content does not fit, or null. */
function lengthError(content: string, level: Level): string | null {
  const unit = unitOf(content);
  const length = unit === "bytes of UTF-8" ? new TextEncoder().encode(content).byteLength : content.length;
  const most = CAPACITY[level][unit];
  return length > most ? `is too long: it has ${length} ${unit}, and a code of level ${level} holds ${most}` : null;
}

function unitOf(content: string): Unit {
  if (/^\d*$/.test(content)) return "digits";
  return /^[0-9A-Z $%*+\-./:]*$/.test(content) ? "upper-case letters and digits" : "bytes of UTF-8";
}
