import { COLOUR, contrastError, normaliseColour } from "#src/lib/colour.ts";
import { parseStored, store, useStored } from "#dashboard/lib/storage.ts";
import { useSession } from "#dashboard/session.ts";
import {
  DEFAULT_QR_MARGIN_MODULES,
  DEFAULT_QR_SIZE_PX,
  MAX_QR_MARGIN_MODULES,
  MAX_QR_SIZE_PX,
  MIN_QR_SIZE_PX,
} from "#src/qr/limits.ts";

export const LEVELS = ["L", "M", "Q", "H"] as const;

/** How the codes of an account look. Values are as they were typed. */
export interface QrStyle {
  foreground: string;
  background: string;
  size: string;
  margin: string;
  level: (typeof LEVELS)[number];
  /** A data URI. */
  logo: string | null;
}

export const USUAL_STYLE: QrStyle = {
  foreground: "#000000",
  background: "#ffffff",
  size: String(DEFAULT_QR_SIZE_PX),
  margin: String(DEFAULT_QR_MARGIN_MODULES),
  level: "M",
  logo: null,
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

/** What the API would say against the colours: it continues a sentence that begins with "the code". */
export function colourProblem({ foreground, background }: QrStyle): string | null {
  if (!isColour(foreground) || !isColour(background)) return null;
  return contrastError(normaliseColour(foreground), normaliseColour(background));
}

function isWithin(text: string, min: number, max: number): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max;
}

export const isSize = (text: string): boolean => isWithin(text, MIN_QR_SIZE_PX, MAX_QR_SIZE_PX);
export const isMargin = (text: string): boolean => isWithin(text, 0, MAX_QR_MARGIN_MODULES);

export function isDrawable(style: QrStyle): boolean {
  const { foreground, background, size, margin } = style;
  return (
    isColour(foreground) && isColour(background) && isSize(size) && isMargin(margin) && colourProblem(style) === null
  );
}
