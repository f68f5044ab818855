import type { Segment } from "./contours.ts";
import glyphs from "./glyphs.json" with { type: "json" };

// No I/O: text as outlines, so that an SVG, a PNG and a PDF look the same and need no font.
//
// `glyphs.json` has for each character its advance and its outline, in thousandths of an em, as a path whose `l` and `q` are
// relative. They are those of Figtree Bold, copyright 2022 The Figtree Project Authors
// (https://github.com/erikdkennedy/figtree), under the SIL Open Font License 1.1 in `glyphs.license.txt`. They were read from
// `figtree-latin-700-normal.woff` and `figtree-latin-ext-700-normal.woff` of the npm package @fontsource/figtree 5.3.0 with
// fontkit 2.0.4: `font.glyphForCodePoint(code).path.commands`, each coordinate rounded, for printable Latin characters.

/** Height of capital letters, in ems. */
const CAPITALS = 0.7;

const GLYPHS = new Map(Object.entries(glyphs as unknown as Record<string, [advance: number, path: string]>));

/** The characters of a text that cannot be drawn. */
export function missingCharacters(text: string): string[] {
  return [...new Set(text.normalize("NFC"))].filter((character) => !GLYPHS.has(character));
}

interface Space {
  /** The middle of the text. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The text, as large as the space allows, in its middle. */
export function lettering(text: string, { x, y, width, height }: Space): Segment[] {
  const drawn = Array.from(text.normalize("NFC"), (character) => GLYPHS.get(character) ?? ([0, ""] as const));
  const ems = drawn.reduce((sum, [advance]) => sum + advance, 0) / 1_000;
  const size = Math.min(width / ems, height / CAPITALS);
  let left = x - (ems * size) / 2;
  const baseline = y + (CAPITALS * size) / 2;
  return drawn.flatMap(([advance, path]) => {
    const segments = outline(path, left, baseline, size / 1_000);
    left += (advance / 1_000) * size;
    return segments;
  });
}

function outline(path: string, left: number, baseline: number, scale: number): Segment[] {
  const segments: Segment[] = [];
  let [x, y] = [0, 0];
  const at = (dx: number, dy: number) => [left + dx * scale, baseline - dy * scale] as const;
  for (const [, command, list = ""] of path.matchAll(/([MlqZ])([^MlqZ]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0] = (list.match(/-?\d+/g) ?? []).map(Number);
    if (command === "Z") segments.push(["Z"]);
    else if (command === "q") {
      const [end, control] = [at(x + c, y + d), at(x + a, y + b)];
      const start = at(x, y);
      segments.push(["C", ...between(start, control), ...between(end, control), ...end]);
      [x, y] = [x + c, y + d];
    } else {
      [x, y] = command === "M" ? [a, b] : [x + a, y + b];
      segments.push([command === "M" ? "M" : "L", ...at(x, y)]);
    }
  }
  return segments;
}

/** A control point of the cubic curve that equals a quadratic one. */
function between(end: readonly [number, number], control: readonly [number, number]): [number, number] {
  return [end[0] + (2 / 3) * (control[0] - end[0]), end[1] + (2 / 3) * (control[1] - end[1])];
}
