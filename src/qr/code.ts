import { encodeQR, type ErrorCorrection } from "qr";
import { invalidRequest } from "../platform/http/errors.ts";
import { brightnessOf } from "../platform/lib/colour.ts";
import { contrastError } from "./contrast.ts";
import type { Format, Level, QrOptions } from "./contract.ts";
import { missingCharacters } from "./lettering.ts";
import {
  DEFAULT_QR_LOGO_PERCENT,
  DEFAULT_QR_MARGIN_MODULES,
  DEFAULT_QR_SIZE_MM,
  DEFAULT_QR_SIZE_PX,
  MAX_QR_CONTENT_CHARS,
  MAX_QR_LOGO_PERCENT,
  MAX_STYLED_MODULES,
  MIN_DRAWN_MODULE_PX,
  MIN_FRAMED_MARGIN_MODULES,
  MIN_QR_MODULE_MM,
  MIN_STYLED_BRIGHTNESS_DIFFERENCE,
} from "./limits.ts";
import { extentOf } from "./drawing.ts";
import { isPlain } from "./forms.ts";
import type { Code, Style } from "./style.ts";
import { encodeUtf8 } from "./utf8-code.ts";
import { because, readBecause, type Because } from "../platform/http/faults.ts";

// No I/O: makes the code that is to be drawn from the options of a request.

const LEVEL_NAMES = { L: "low", M: "medium", Q: "quartile", H: "high" } as const;

/** The capacity of the largest code (ISO/IEC 18004, table 7), by level and kind of content. */
const CAPACITY: Record<Level, Record<Unit, number>> = {
  L: { digits: MAX_QR_CONTENT_CHARS, alphanumeric: 4_296, bytes: 2_953 },
  M: { digits: 5_596, alphanumeric: 3_391, bytes: 2_331 },
  Q: { digits: 3_993, alphanumeric: 2_420, bytes: 1_663 },
  H: { digits: 3_057, alphanumeric: 1_852, bytes: 1_273 },
};
type Unit = "digits" | "alphanumeric" | "bytes";

/**
 * Encodes the content. Throws a 400 if the options cannot be combined, the content is too long, or phones could not read the code.
 * The bounds of styles and logos are proved by decoders (test/e2e/qr-decoders.test.ts).
 */
export function makeCode(content: string, options: QrOptions, format: Format): Code {
  const style = toStyle(options);
  const isStyled = !isPlain(style) || options.logoSize !== undefined;
  throwErrors([
    {
      path: "foreground",
      reason: contrastError(style.foreground, style.background) ?? (isStyled ? brightnessError(style) : null),
    },
    { path: "level", reason: levelError(style) },
    { path: "logoSize", reason: logoSizeError(options, style) },
    { path: "frameText", reason: frameTextError(style) },
    { path: "frameColor", reason: frameColorError(options) },
    { path: "margin", reason: marginError(style) },
    { path: "content", reason: lengthError(content, style.level) },
    {
      path: "sizeMm",
      reason: unitError(options.sizeMm, format !== "pdf", because("only_for_pdf")),
    },
    {
      path: "size",
      reason: unitError(options.size, format === "pdf", because("not_for_pdf")),
    },
  ]);
  const modules = encode(content, LEVEL_NAMES[style.level]);
  throwErrors([
    { path: "size", reason: sizeError(style, modules.length, format) },
    { path: "sizeMm", reason: format === "pdf" ? millimetreError(style, modules.length) : null },
  ]);
  if (isStyled) throwErrors([{ path: "content", reason: styledLengthError(modules.length) }]);
  return { modules, style };
}

function encode(content: string, level: ErrorCorrection): boolean[][] {
  const bytes = new TextEncoder().encode(content);
  // The ECI of UTF-8 takes two bytes. The fullest codes have no room for it.
  const withEci = bytes.length > content.length ? encodeUtf8(bytes, level) : null;
  // The library always draws a border, so it is cut off.
  return (
    withEci ??
    encodeQR(content, "raw", { ecc: level, border: 1 })
      .slice(1, -1)
      .map((row) => row.slice(1, -1))
  );
}

function styledLengthError(modules: number): Because | null {
  return modules > MAX_STYLED_MODULES
    ? because("too_long_for_style", { actual: modules, max: MAX_STYLED_MODULES })
    : null;
}

function brightnessError({ foreground, background }: Style): Because | null {
  return brightnessOf(background) - brightnessOf(foreground) < MIN_STYLED_BRIGHTNESS_DIFFERENCE
    ? because("as_bright", { value: background })
    : null;
}

function toStyle(options: QrOptions): Style {
  const logo = options.logo ?? null;
  const foreground = options.foreground ?? "#000000";
  return {
    level: options.level ?? (logo === null ? "M" : "H"),
    size: options.size ?? DEFAULT_QR_SIZE_PX,
    sizeMm: options.sizeMm ?? DEFAULT_QR_SIZE_MM,
    margin: options.margin ?? DEFAULT_QR_MARGIN_MODULES,
    foreground,
    background: options.background ?? "#ffffff",
    logo,
    logoSize: options.logoSize ?? DEFAULT_QR_LOGO_PERCENT,
    dots: options.dots ?? "square",
    corners: options.corners ?? "square",
    frameText: options.frameText ?? null,
    frameColor: options.frameColor ?? foreground,
  };
}

function throwErrors(errors: { path: string; reason: Because | null }[]): void {
  const faults = errors.flatMap(({ path, reason }) => (reason === null ? [] : [readBecause(path, reason)]));
  if (faults.length > 0) throw invalidRequest(faults);
}

function levelError({ level, logo }: Style): Because | null {
  return logo !== null && (level === "L" || level === "M") ? because("low_level") : null;
}

function logoSizeError({ logoSize }: QrOptions, { logo, level }: Style): Because | null {
  if (logoSize === undefined) return null;
  if (logo === null) return because("needs", { field: "logo" });
  const most = level === "Q" ? MAX_QR_LOGO_PERCENT.Q : MAX_QR_LOGO_PERCENT.H;
  return logoSize > most ? because("logo_too_large", { max: most, level }) : null;
}

function frameTextError({ frameText }: Style): Because | null {
  const missing = frameText === null ? [] : missingCharacters(frameText);
  return missing.length > 0 ? because("unknown_letters", { value: missing.join(" ") }) : null;
}

function frameColorError({ frameColor, frameText }: QrOptions): Because | null {
  return frameColor !== undefined && frameText === undefined ? because("needs", { field: "frameText" }) : null;
}

function marginError({ frameText, margin }: Style): Because | null {
  return frameText !== null && margin < MIN_FRAMED_MARGIN_MODULES
    ? because("small_margin", { min: MIN_FRAMED_MARGIN_MODULES })
    : null;
}

function unitError(value: number | undefined, isOther: boolean, reason: Because): Because | null {
  return value !== undefined && isOther ? reason : null;
}

function sizeError(style: Style, modules: number, format: Format): Because | null {
  if (format === "pdf") return null;
  const { width } = extentOf(style, modules);
  const isDrawn = format === "png" && (!isPlain(style) || style.logo !== null);
  const least = isDrawn ? Math.ceil(width * MIN_DRAWN_MODULE_PX) : Math.ceil(width);
  return style.size < least ? because("code_too_small", { min: least }) : null;
}

function millimetreError(style: Style, modules: number): Because | null {
  const least = Math.ceil(extentOf(style, modules).width * MIN_QR_MODULE_MM);
  return style.sizeMm < least ? because("code_too_small", { min: least }) : null;
}

/** Returns why the content does not fit, or null. */
function lengthError(content: string, level: Level): Because | null {
  const unit = unitOf(content);
  const length = unit === "bytes" ? new TextEncoder().encode(content).byteLength : content.length;
  const most = CAPACITY[level][unit];
  return length > most ? because("content_too_long", { actual: length, unit, level, max: most }) : null;
}

function unitOf(content: string): Unit {
  if (/^\d*$/.test(content)) return "digits";
  return /^[0-9A-Z $%*+\-./:]*$/.test(content) ? "alphanumeric" : "bytes";
}
