import { toRgb } from "../platform/lib/colour.ts";
import { toSegments, type Segment } from "./contours.ts";
import type { Drawing } from "./drawing.ts";
import type { Pixels } from "./logo-pixels.ts";

// No I/O: draws outlines as pixels. A pixel that an outline covers in part is mixed by the covered area.

/** Straight lines: x and y of the start, x and y of the end, in pixels. */
type Lines = number[];

interface Picture {
  /** Size in pixels. */
  width: number;
  height: number;
  /** Red, green and blue of each colour. */
  palette: Uint8Array<ArrayBuffer>;
  /** Draws the rows from `first` on, without the logo, into `rows`: the number of its colour for each pixel. */
  draw: (rows: Uint8Array, first: number) => void;
  /** Paints the logo over those rows, which have 3 bytes a pixel. */
  paintLogo: (rows: Uint8Array, first: number) => void;
}

/** Mixtures of each layer's colour with the one below. With three layers and the background, a byte numbers all. */
const SHADES = 32;

/** The drawing, `width` pixels wide. The logo is painted if its pixels are given. */
export function rasterise(drawing: Drawing, width: number, logo: Pixels | null): Picture {
  const scale = width / drawing.width;
  const height = Math.round(drawing.height * scale);
  const layers = drawing.layers.map(({ boxes, outlines }) => {
    const lines: Lines = [];
    for (const box of boxes) addLines(lines, toSegments(box), scale);
    addLines(lines, outlines, scale);
    return Float64Array.from(lines);
  });
  const place = drawing.logo === null || logo === null ? null : fit(logo, drawing.logo, scale);
  return {
    width,
    height,
    palette: paletteOf(drawing),
    draw(rows, first) {
      const strip = { width, first, count: rows.length / width };
      rows.fill(0);
      for (const [index, lines] of layers.entries()) fill(rows, strip, lines, index * SHADES);
    },
    paintLogo(rows, first) {
      if (place !== null && logo !== null) paint(rows, { width, first, count: rows.length / 3 / width }, logo, place);
    },
  };
}

/** The background, and for each layer its mixtures, from little of it to nothing else. */
function paletteOf({ background, layers }: Drawing): Uint8Array<ArrayBuffer> {
  const palette = new Uint8Array(3 * (1 + layers.length * SHADES));
  palette.set(toRgb(background));
  for (const [index, { colour, below }] of layers.entries()) {
    for (let shade = 1; shade <= SHADES; shade++) {
      const at = 3 * (index * SHADES + shade);
      palette.set(toRgb(below), at);
      mix(palette, at, toRgb(colour), shade / SHADES);
    }
  }
  return palette;
}

/** The colours of numbered pixels, 3 bytes a pixel. */
export function toColours(numbers: Uint8Array, palette: Uint8Array): Uint8Array<ArrayBuffer> {
  const colours = new Uint8Array(3 * numbers.length);
  for (let pixel = 0, at = 0; pixel < numbers.length; pixel++) {
    const from = 3 * (numbers[pixel] ?? 0);
    for (let part = 0; part < 3; part++) colours[at++] = palette[from + part] ?? 0;
  }
  return colours;
}

/** Lines of a curve, which differ from it by less than a tenth of a pixel. */
function linesOf(widthPx: number): number {
  return Math.min(24, Math.max(3, Math.ceil(1.6 * Math.sqrt(widthPx))));
}

function addLines(lines: Lines, segments: readonly Segment[], scale: number): void {
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const lineTo = (toX: number, toY: number) => {
    if (toY !== y) lines.push(x, y, toX, toY);
    [x, y] = [toX, toY];
  };
  for (const [command, ...numbers] of segments) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers.map((number) => number * scale);
    if (command === "M") {
      [x, y, startX, startY] = [a, b, a, b];
    } else if (command === "L") {
      lineTo(a, b);
    } else if (command === "Z") {
      lineTo(startX, startY);
    } else {
      const [fromX, fromY] = [x, y];
      const count = linesOf(Math.abs(e - x) + Math.abs(f - y));
      for (let step = 1; step <= count; step++) {
        const t = step / count;
        const u = 1 - t;
        const mix = (p: number, q: number, r: number, s: number) =>
          u * u * u * p + 3 * u * u * t * q + 3 * u * t * t * r + t * t * t * s;
        lineTo(mix(fromX, a, c, e), mix(fromY, b, d, f));
      }
    }
  }
}

interface Strip {
  width: number;
  first: number;
  count: number;
}

/** `start` is the number before that of the layer's first mixture. */
function fill(rows: Uint8Array, strip: Strip, lines: Float64Array, start: number): void {
  const { width, first, count } = strip;
  // By pixel, how much the covered area changes from the pixel before.
  const changes = new Float32Array((width + 2) * count);
  for (let at = 0; at < lines.length; at += 4) {
    const [y0 = 0, y1 = 0] = [lines[at + 1], lines[at + 3]];
    if (Math.max(y0, y1) <= first || Math.min(y0, y1) >= first + count) continue;
    const [x0 = 0, x1 = 0] = [lines[at], lines[at + 2]];
    if (y0 < y1) addLine(changes, strip, [x0, y0, x1, y1], 1);
    else addLine(changes, strip, [x1, y1, x0, y0], -1);
  }
  for (let row = 0; row < count; row++) {
    let [sum, colour] = [0, 0];
    const from = row * (width + 2);
    for (let x = 0; x < width; x++) {
      const change = changes[from + x] ?? 0;
      if (change !== 0) {
        sum += change;
        const shade = Math.min(SHADES, Math.round(Math.abs(sum) * SHADES));
        colour = shade === 0 ? 0 : start + shade;
      }
      if (colour !== 0) rows[row * width + x] = colour;
    }
  }
}

/** Adds the area to the right of a line that runs down. `sign` is -1 if it runs up in its outline. */
function addLine(
  changes: Float32Array,
  { width, first, count }: Strip,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
  sign: 1 | -1,
): void {
  const slope = (x1 - x0) / (y1 - y0);
  const from = Math.max(Math.floor(y0), first);
  const to = Math.min(Math.ceil(y1), first + count);
  let x = x0 + (Math.max(y0, from) - y0) * slope;
  for (let y = from; y < to; y++) {
    const rows = Math.min(y + 1, y1) - Math.max(y, y0);
    const next = x + slope * rows;
    // Rounding may lead beyond the edges.
    const [left, right] = [Math.max(0, Math.min(x, next)), Math.min(width, Math.max(x, next))];
    addRow(changes, (y - first) * (width + 2), left, right, rows * sign);
    x = next;
  }
}

/** Adds a line from `left` to `right` within a row of pixels, which it crosses by the share `rows`. */
function addRow(changes: Float32Array, at: number, left: number, right: number, rows: number): void {
  const add = (x: number, area: number) => (changes[at + x] = (changes[at + x] ?? 0) + area);
  const [start, end] = [Math.floor(left), Math.ceil(right)];
  if (end <= start + 1) {
    const rest = (left + right) / 2 - start;
    add(start, rows * (1 - rest));
    add(start + 1, rows * rest);
    return;
  }
  // The area that is covered up to a position, whose differences are the pixels' shares.
  let [covered, before] = [0, 0];
  for (let x = start; x < end; x++) {
    const reach = Math.min(x + 1, right);
    const whole = (reach - left) ** 2 / (2 * (right - left)) + (x + 1 - reach);
    const share = whole - covered;
    add(x, rows * (share - before));
    [covered, before] = [whole, share];
  }
  add(end, rows * (1 - before));
}

function mix(rows: Uint8Array, at: number, colour: readonly number[], share: number): void {
  for (let part = 0; part < 3; part++) {
    const below = rows[at + part] ?? 0;
    rows[at + part] = Math.round(below + ((colour[part] ?? 0) - below) * share);
  }
}

interface Place {
  left: number;
  top: number;
  /** Pixels of the picture for one of the logo. */
  scale: number;
}

/** The largest place of the logo's shape within its square, in the middle, as SVG does it. */
function fit(logo: Pixels, square: { x: number; y: number; width: number }, scale: number): Place {
  const side = square.width * scale;
  const factor = side / Math.max(logo.width, logo.height);
  return {
    left: square.x * scale + (side - logo.width * factor) / 2,
    top: square.y * scale + (side - logo.height * factor) / 2,
    scale: factor,
  };
}

function paint(rows: Uint8Array, { width, first, count }: Strip, logo: Pixels, { left, top, scale }: Place): void {
  const bottom = top + logo.height * scale;
  for (let y = Math.max(first, Math.round(top)); y < Math.min(first + count, Math.round(bottom)); y++) {
    for (let x = Math.round(left); x < Math.round(left + logo.width * scale); x++) {
      const { colour, alpha } = mean(logo, (x - left) / scale, (y - top) / scale, 1 / scale);
      mix(rows, ((y - first) * width + x) * 3, colour, alpha);
    }
  }
}

/** The index of a pixel, from 0 to below `most`. */
function clamp(at: number, most: number): number {
  return Math.max(0, Math.min(most - 1, Math.floor(at)));
}

/** The mean of the logo's pixels in a square. */
function mean({ width, height, data }: Pixels, x: number, y: number, side: number) {
  const sum = [0, 0, 0];
  let [opaque, pixels] = [0, 0];
  for (let row = clamp(y, height); row <= clamp(y + side - 0.01, height); row++) {
    for (let column = clamp(x, width); column <= clamp(x + side - 0.01, width); column++) {
      const at = (row * width + column) * 4;
      const alpha = data[at + 3] ?? 0;
      for (let part = 0; part < 3; part++) sum[part] = (sum[part] ?? 0) + (data[at + part] ?? 0) * alpha;
      opaque += alpha;
      pixels++;
    }
  }
  return { colour: sum.map((part) => part / Math.max(opaque, 1)), alpha: opaque / 255 / pixels };
}
