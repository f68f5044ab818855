import { COLOUR, normaliseColour } from "#src/platform/lib/colour.ts";
import type { Because } from "#src/platform/http/fault-codes.ts";
import { contrastError } from "#src/qr/contrast.ts";
import { parseStored, store, useStored } from "#dashboard/lib/storage.ts";
import type { QrStyle as KeptStyle } from "#src/qr/domain-style-contract.ts";
import { useSession } from "#dashboard/session.ts";
import {
  DEFAULT_QR_LOGO_PERCENT,
  DEFAULT_QR_MARGIN_MODULES,
  DEFAULT_QR_SIZE_MM,
  DEFAULT_QR_SIZE_PX,
  MAX_QR_LOGO_PERCENT,
  MAX_QR_MARGIN_MODULES,
  MAX_QR_SIZE_MM,
  MAX_QR_SIZE_PX,
  MIN_QR_LOGO_PERCENT,
  MIN_QR_SIZE_MM,
  MIN_QR_SIZE_PX,
} from "#src/qr/limits.ts";

export const LEVELS = ["L", "M", "Q", "H"] as const;
export const DOTS = ["square", "rounded", "round"] as const;
export const CORNERS = ["square", "rounded", "circle"] as const;

/** How the codes of an account look. Values are as they were typed. */
export interface QrStyle {
  foreground: string;
  background: string;
  /** Pixels. */
  size: string;
  /** Of a PDF, in millimetres. */
  sizeMm: string;
  margin: string;
  level: (typeof LEVELS)[number];
  /** A data URI. */
  logo: string | null;
  /** Width of the logo, percent of the code's. */
  logoSize: string;
  dots: (typeof DOTS)[number];
  corners: (typeof CORNERS)[number];
  /** The text of the frame; empty: no frame. */
  frameText: string;
  /** null: the foreground. */
  frameColor: string | null;
}

export const USUAL_STYLE: QrStyle = {
  foreground: "#000000",
  background: "#ffffff",
  size: String(DEFAULT_QR_SIZE_PX),
  sizeMm: String(DEFAULT_QR_SIZE_MM),
  margin: String(DEFAULT_QR_MARGIN_MODULES),
  level: "M",
  logo: null,
  logoSize: String(DEFAULT_QR_LOGO_PERCENT),
  dots: "square",
  corners: "square",
  frameText: "",
  frameColor: null,
};

/** The style that this browser last used for the account. */
export function useQrStyle(): [QrStyle, (style: QrStyle) => void] {
  const { account } = useSession();
  const name = `qr-style:${account.id}`;
  const stored = useStored(name);
  return [parseStyle(stored), (style) => store(name, JSON.stringify(style))];
}

function parseStyle(stored: string | null): QrStyle {
  return { ...USUAL_STYLE, ...(parseStored(stored) as Partial<QrStyle>) };
}

export const isColour = (text: string): boolean => COLOUR.test(text);

/** What the API would have against the colours. */
export function colourProblem({ foreground, background }: QrStyle): Because | null {
  if (!isColour(foreground) || !isColour(background)) return null;
  return contrastError(normaliseColour(foreground), normaliseColour(background));
}

/** The style that a domain keeps, in the sizes of another one. */
export function fromKept(kept: KeptStyle, { size, sizeMm, logoSize }: QrStyle): QrStyle {
  return {
    foreground: kept.foreground ?? USUAL_STYLE.foreground,
    background: kept.background ?? USUAL_STYLE.background,
    size,
    sizeMm,
    margin: String(kept.margin ?? DEFAULT_QR_MARGIN_MODULES),
    level: kept.level ?? (kept.logo === undefined ? USUAL_STYLE.level : "H"),
    logo: kept.logo ?? null,
    logoSize: kept.logo === undefined ? logoSize : String(kept.logoSize ?? DEFAULT_QR_LOGO_PERCENT),
    dots: kept.dots ?? USUAL_STYLE.dots,
    corners: kept.corners ?? USUAL_STYLE.corners,
    frameText: kept.frameText ?? "",
    frameColor: kept.frameColor ?? null,
  };
}

/** The logo as the API takes it. Without a size, the API draws codes of any length. */
export function toLogo({ logo, logoSize }: QrStyle): Pick<KeptStyle, "logo" | "logoSize"> {
  if (logo === null) return {};
  return Number(logoSize) === DEFAULT_QR_LOGO_PERCENT ? { logo } : { logo, logoSize: Number(logoSize) };
}

/** What a domain keeps of a style. */
export function toKept(style: QrStyle): KeptStyle {
  const { foreground, background, margin, level, dots, corners, frameColor } = style;
  const frameText = style.frameText.trim();
  return {
    foreground,
    background,
    margin: Number(margin),
    level,
    dots,
    corners,
    ...toLogo(style),
    ...(frameText !== "" && { frameText, ...(frameColor !== null && { frameColor }) }),
  };
}

function isWithin(text: string, min: number, max: number): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

export const isSize = (text: string): boolean => isWithin(text, MIN_QR_SIZE_PX, MAX_QR_SIZE_PX);
export const isSizeMm = (text: string): boolean => isWithin(text, MIN_QR_SIZE_MM, MAX_QR_SIZE_MM);
export const isMargin = (text: string): boolean => isWithin(text, 0, MAX_QR_MARGIN_MODULES);

/** The widest logo at an error correction, percent of the code's width. */
export const maxLogoSize = (level: QrStyle["level"]): number =>
  level === "Q" ? MAX_QR_LOGO_PERCENT.Q : MAX_QR_LOGO_PERCENT.H;

export const isLogoSize = (text: string, level: QrStyle["level"]): boolean =>
  isWithin(text, MIN_QR_LOGO_PERCENT, maxLogoSize(level));

export function isDrawable(style: QrStyle): boolean {
  const { foreground, background, frameColor, size, sizeMm, margin, level, logo, logoSize } = style;
  return (
    [foreground, background, frameColor ?? foreground].every(isColour) &&
    isSize(size) &&
    isSizeMm(sizeMm) &&
    isMargin(margin) &&
    (logo === null || isLogoSize(logoSize, level)) &&
    colourProblem(style) === null
  );
}
