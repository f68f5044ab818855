import { encodeQR, type ErrorCorrection } from "qr";
import { invalidRequest } from "../http/errors.ts";
import { brightnessOf, contrastError } from "../lib/colour.ts";
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

// No I/O: makes the code that is to be drawn from the options of a request.

const LEVEL_NAMES = { L: "low", M: "medium", Q: "quartile", H: "high" } as const;

/** The capacity of the largest code (ISO/IEC 18004, table 7), by level and kind of content. */
const CAPACITY: Record<Level, Record<Unit, number>> = {
  L: { digits: MAX_QR_CONTENT_CHARS, "upper-case letters and digits": 4_296, "bytes of UTF-8": 2_953 },
  M: { digits: 5_596, "upper-case letters and digits": 3_391, "bytes of UTF-8": 2_331 },
  Q: { digits: 3_993, "upper-case letters and digits": 2_420, "bytes of UTF-8": 1_663 },
  H: { digits: 3_057, "upper-case letters and digits": 1_852, "bytes of UTF-8": 1_273 },
};
type Unit = "digits" | "upper-case letters and digits" | "bytes of UTF-8";

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
      message: contrastError(style.foreground, style.background) ?? (isStyled ? brightnessError(style) : null),
    },
    { path: "level", message: levelError(style) },
    { path: "logoSize", message: logoSizeError(options, style) },
    { path: "frameText", message: frameTextError(style) },
    { path: "frameColor", message: frameColorError(options) },
    { path: "margin", message: marginError(style) },
    { path: "content", message: lengthError(content, style.level) },
    {
      path: "sizeMm",
      message: unitError(
        options.sizeMm,
        format !== "pdf",
        "is the width of a PDF: the other formats have a size in pixels",
      ),
    },
    {
      path: "size",
      message: unitError(options.size, format === "pdf", "is in pixels, and a PDF has a width in millimetres"),
    },
  ]);
  const modules = encode(content, LEVEL_NAMES[style.level]);
  throwErrors([
    { path: "size", message: sizeError(style, modules.length, format) },
    { path: "sizeMm", message: format === "pdf" ? millimetreError(style, modules.length) : null },
  ]);
  if (isStyled) throwErrors([{ path: "content", message: styledLengthError(modules.length) }]);
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

function styledLengthError(modules: number): string | null {
  return modules > MAX_STYLED_MODULES
    ? `is too long for this style: its code has ${modules} modules in a row, and one with a style has at most ${MAX_STYLED_MODULES}. Take a shorter content, a lower level, or square dots and corners without a frame`
    : null;
}

function brightnessError({ foreground, background }: Style): string | null {
  return brightnessOf(background) - brightnessOf(foreground) < MIN_STYLED_BRIGHTNESS_DIFFERENCE
    ? `is about as bright as the background ${background}: many scanners see no colours, so take a darker foreground or a brighter background for this style`
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

function throwErrors(errors: { path: string; message: string | null }[]): void {
  const details = errors.flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
  if (details.length > 0) throw invalidRequest(details);
}

function levelError({ level, logo }: Style): string | null {
  return logo !== null && (level === "L" || level === "M")
    ? "must be Q or H with a logo, because the logo covers modules"
    : null;
}

function logoSizeError({ logoSize }: QrOptions, { logo, level }: Style): string | null {
  if (logoSize === undefined) return null;
  if (logo === null) return "is for a logo: give one, or leave this out";
  const most = level === "Q" ? MAX_QR_LOGO_PERCENT.Q : MAX_QR_LOGO_PERCENT.H;
  return logoSize > most ? `must be at most ${most} with level ${level}, which corrects no more` : null;
}

function frameTextError({ frameText }: Style): string | null {
  const missing = frameText === null ? [] : missingCharacters(frameText);
  return missing.length > 0
    ? `can have the Latin letters of European languages, digits and punctuation, and not ${missing.join(" ")}`
    : null;
}

function frameColorError({ frameColor, frameText }: QrOptions): string | null {
  return frameColor !== undefined && frameText === undefined
    ? "is the colour of a frame: give its text, or leave this out"
    : null;
}

function marginError({ frameText, margin }: Style): string | null {
  return frameText !== null && margin < MIN_FRAMED_MARGIN_MODULES
    ? `must be at least ${MIN_FRAMED_MARGIN_MODULES} with a frame, which scanners would take for a part of the code`
    : null;
}

function unitError(value: number | undefined, isOther: boolean, message: string): string | null {
  return value !== undefined && isOther ? message : null;
}

function sizeError(style: Style, modules: number, format: Format): string | null {
  if (format === "pdf") return null;
  const { width } = extentOf(style, modules);
  const isDrawn = format === "png" && (!isPlain(style) || style.logo !== null);
  const least = isDrawn ? Math.ceil(width * MIN_DRAWN_MODULE_PX) : Math.ceil(width);
  if (style.size >= least) return null;
  const reason = isDrawn ? `, and a PNG in this style needs ${MIN_DRAWN_MODULE_PX} pixels for each` : "";
  return `must be at least ${least} here: the code with its margin is ${modules + 2 * style.margin} modules wide${reason}`;
}

function millimetreError(style: Style, modules: number): string | null {
  const least = Math.ceil(extentOf(style, modules).width * MIN_QR_MODULE_MM);
  return style.sizeMm < least
    ? `must be at least ${least} here: the modules of a smaller code are below ${MIN_QR_MODULE_MM} mm`
    : null;
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
