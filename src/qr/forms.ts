import { square, type Box } from "./contours.ts";
import { isCut, type Cutout } from "./cutout.ts";
import type { Style } from "./style.ts";

// No I/O: the forms of the modules. Coordinates are modules, from the top left.

/** Corner patterns: 7 modules wide, a ring of one module around a square of 3 (ISO/IEC 18004, 6.3.3). */
const PATTERN = 7;
const EYE = 3;
/** Radius of the corners of both, in modules. */
const CORNER_RADII = { square: [0, 0], rounded: [2, 0.9], circle: [PATTERN / 2, EYE / 2] } as const;

/** Whether the code has nothing but square modules. */
export function isPlain({ dots, corners, frameText }: Pick<Style, "dots" | "corners" | "frameText">): boolean {
  return dots === "square" && corners === "square" && frameText === null;
}

/** The dots and the three corner patterns. `start` is where the code begins, from the left and from the top. */
export function formsOf(
  modules: boolean[][],
  { dots, corners }: Pick<Style, "dots" | "corners">,
  start: number,
  cutout: Cutout | null,
): Box[] {
  return [...dotsOf(modules, dots, start, cutout), ...cornersOf(modules.length, corners, start)];
}

/** Radius of a module's corner, which is round unless a module beside it goes on there. */
function end(isJoined: boolean): number {
  return isJoined ? 0 : 0.5;
}

function dotsOf(modules: boolean[][], dots: Style["dots"], start: number, cutout: Cutout | null): Box[] {
  const last = modules.length - PATTERN;
  const isCorner = (x: number, y: number) => (x < PATTERN && (y < PATTERN || y >= last)) || (x >= last && y < PATTERN);
  const isDark = (x: number, y: number) =>
    modules[y]?.[x] === true && !isCorner(x, y) && !(cutout !== null && isCut(cutout, x, y));
  const alignment = alignmentCentres(modules.length);
  const boxes: Box[] = [];
  for (let y = 0; y < modules.length; y++) {
    for (let x = 0; x < modules.length; x++) {
      if (!isDark(x, y)) continue;
      if (dots === "round" && !isAlignment(alignment, x, y)) {
        boxes.push(square(start + x, start + y, 1, 0.5));
      } else if (dots !== "square") {
        const [left, right, above, below] = [isDark(x - 1, y), isDark(x + 1, y), isDark(x, y - 1), isDark(x, y + 1)];
        const radii = [end(left || above), end(right || above), end(right || below), end(left || below)] as const;
        boxes.push({ ...square(start + x, start + y, 1), radii });
      } else {
        let run = 1;
        while (isDark(x + run, y)) run++;
        boxes.push({ ...square(start + x, start + y, 1), width: run });
        x += run - 1;
      }
    }
  }
  return boxes;
}

/** The rows and columns of the centres of alignment patterns (ISO/IEC 18004, annex E). */
function alignmentCentres(modules: number): number[] {
  const version = (modules - 17) / 4;
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const centres = [PATTERN - 1];
  for (let index = 0; index < count - 1; index++) centres.push(modules - PATTERN - index * step);
  return centres;
}

/** Whether the module is one of an alignment pattern, which decoders find more often if its modules are joined. */
function isAlignment(centres: readonly number[], x: number, y: number): boolean {
  const near = (at: number) => centres.filter((centre) => Math.abs(centre - at) <= 2);
  // Patterns that touch a timing pattern begin at the row or column 6; those at the three corners do not exist.
  return near(x).length > 0 && near(y).length > 0;
}

function cornersOf(modules: number, corners: Style["corners"], start: number): Box[] {
  const [ring, eye] = CORNER_RADII[corners];
  const [near, far] = [start, start + modules - PATTERN];
  const places = [
    [near, near],
    [far, near],
    [near, far],
  ] as const;
  return places.flatMap(([x, y]) => [
    square(x, y, PATTERN, ring),
    { ...square(x + 1, y + 1, PATTERN - 2, Math.max(0, ring - 1)), isHole: true },
    square(x + 2, y + 2, EYE, eye),
  ]);
}
