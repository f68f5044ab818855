import { encodeQR } from "qr";
import { invalidRequest } from "../http/errors.ts";
import { DEFAULT_QR_MARGIN_MODULES, DEFAULT_QR_SIZE_PX } from "../limits.ts";
import { contrastError } from "./colour.ts";
import type { Format, Level, QrOptions } from "./contract.ts";

// No I/O: from what is asked for to what is drawn.

/** How a code looks, with nothing left open. */
interface Style {
  level: Level;
  /** Of the image, in pixels. */
  size: number;
  /** In modules. */
  margin: number;
  /** `#rrggbb`, like the background. */
  foreground: string;
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

/** What the largest code holds (ISO/IEC 18004, table 7), by level and by what the content is made of. */
const CAPACITY: Record<Level, Record<Unit, number>> = {
  L: { digits: 7_089, "upper-case letters and digits": 4_296, "bytes of UTF-8": 2_953 },
  M: { digits: 5_596, "upper-case letters and digits": 3_391, "bytes of UTF-8": 2_331 },
  Q: { digits: 3_993, "upper-case letters and digits": 2_420, "bytes of UTF-8": 1_663 },
  H: { digits: 3_057, "upper-case letters and digits": 1_852, "bytes of UTF-8": 1_273 },
};
type Unit = "digits" | "upper-case letters and digits" | "bytes of UTF-8";

/** Encodes the content. Options that do not go together make an invalid request, which says what to change. */
export function makeCode(content: string, options: QrOptions, format: Format): Code {
  const style = toStyle(options);
  const problems = [
    { path: "foreground", message: contrastError(style.foreground, style.background) },
    { path: "level", message: levelError(style) },
    { path: "logo", message: style.logo !== null && format === "png" ? "can only be drawn in the format svg" : null },
    { path: "content", message: lengthError(content, style.level) },
  ];
  refuse(problems);
  // The library draws no code without a border, so the thinnest one is cut off.
  const bordered = encodeQR(content, "raw", { ecc: LEVEL_NAMES[style.level], border: 1 });
  const modules = bordered.slice(1, -1).map((row) => row.slice(1, -1));
  refuse([{ path: "size", message: sizeError(style, modules.length) }]);
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

function refuse(problems: { path: string; message: string | null }[]): void {
  const details = problems.flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
  if (details.length > 0) throw invalidRequest(details);
}

function levelError({ level, logo }: Style): string | null {
  return logo !== null && (level === "L" || level === "M") ? "must be Q or H with a logo, which covers modules" : null;
}

function sizeError({ size, margin }: Style, modules: number): string | null {
  const least = modules + 2 * margin;
  return size < least ? `must be at least ${least} here: the code with its margin is ${least} modules wide` : null;
}

/** Why the level cannot hold the content, or null where it can. */
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
