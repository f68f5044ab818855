/** `#rgb` or `#rrggbb`. */
export const COLOUR = /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/;

/** Converts a {@link COLOUR} to `#rrggbb` in lower case, so that equal colours are equal texts. */
export function normaliseColour(colour: string): string {
  const digits = colour.slice(1).toLowerCase();
  return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** The red, green and blue of `#rrggbb`, each 0 to 255. */
export function toRgb(colour: string): [number, number, number] {
  const number = Number.parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** How bright scanners see the colour `#rrggbb`, which make an image grey: 0 to 255. */
export function brightnessOf(colour: string): number {
  const [red, green, blue] = toRgb(colour);
  return (red + 2 * green + blue) / 4;
}

/** Contrast of two colours (WCAG 2), each `#rrggbb`: 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever is easier to read on the colour `#rrggbb`. The better one always has a contrast of at least 4.5. */
export function textColourOn(colour: string): "#000000" | "#ffffff" {
  return contrastRatio("#000000", colour) >= contrastRatio("#ffffff", colour) ? "#000000" : "#ffffff";
}

/** Relative luminance (WCAG 2), 0 to 1. */
export function luminance(colour: string): number {
  const [red, green, blue] = toRgb(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
