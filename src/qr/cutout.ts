import { DEFAULT_QR_LOGO_PERCENT } from "./limits.ts";

/** The square of modules in the centre that is left empty for a logo. */
export interface Cutout {
  start: number;
  width: number;
}

/** A smaller one has no room for a picture. */
const MIN_CUTOUT_MODULES = 3;

/** A code has an odd number of modules in a row, so only a cutout with an odd number can be centred. */
export function cutoutOf(modules: number, percent: number = DEFAULT_QR_LOGO_PERCENT): Cutout {
  const most = Math.floor(modules * (percent / 100));
  const width = Math.max(MIN_CUTOUT_MODULES, most % 2 === 1 ? most : most - 1);
  return { start: (modules - width) / 2, width };
}

export function isCut({ start, width }: Cutout, x: number, y: number): boolean {
  return x >= start && x < start + width && y >= start && y < start + width;
}

/** Where the logo is. Half a module of the cutout stays empty on each side. */
export function logoSquare({ start, width }: Cutout, margin: number) {
  const [corner, side] = [margin + start + 0.5, width - 1];
  return { x: corner, y: corner, width: side, height: side };
}
