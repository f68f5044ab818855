// No I/O: outlines, and how they are written as paths. Coordinates are modules, from the top left.

/** A rectangle with round corners. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Radius of the corners: top left, top right, bottom right, bottom left. */
  radii: readonly [number, number, number, number];
  /** Runs the other way round, which cuts it out of a box around it. */
  isHole?: boolean;
}

/** `M` and `L` have a point, `C` the two control points and the end of a curve (cubic Bézier). */
export type Segment = readonly ["M" | "L" | "C" | "Z", ...number[]];

/** Distance of the control points of a quarter of a circle with the radius 1. */
const QUARTER = 0.552_285;

export function square(x: number, y: number, width: number, radius = 0): Box {
  return { x, y, width, height: width, radii: [radius, radius, radius, radius] };
}

export function toSegments({ x, y, width, height, radii, isHole = false }: Box): Segment[] {
  const corners = [
    { x, y, radius: radii[0], from: [0, 1], to: [1, 0] },
    { x: x + width, y, radius: radii[1], from: [-1, 0], to: [0, 1] },
    { x: x + width, y: y + height, radius: radii[2], from: [0, -1], to: [-1, 0] },
    { x, y: y + height, radius: radii[3], from: [1, 0], to: [0, -1] },
  ] as const;
  const segments: Segment[] = [];
  for (const corner of isHole ? corners.toReversed() : corners) {
    const [from, to] = isHole ? [corner.to, corner.from] : [corner.from, corner.to];
    const at = ([dx, dy]: readonly [number, number], share: number) =>
      [corner.x + dx * corner.radius * share, corner.y + dy * corner.radius * share] as const;
    segments.push([segments.length === 0 ? "M" : "L", ...at(from, 1)]);
    if (corner.radius > 0) segments.push(["C", ...at(from, 1 - QUARTER), ...at(to, 1 - QUARTER), ...at(to, 1)]);
  }
  return [...segments, ["Z"]];
}

/** The `d` of an SVG path. */
export function toPathData(segments: readonly Segment[]): string {
  return segments.map(([command, ...numbers]) => command + numbers.map(rounded).join(" ")).join("");
}

/** As {@link toPathData}, with arcs, which are shorter. */
export function toBoxData(box: Box): string {
  const { x, y, width, height, isHole = false } = box;
  const [a, b, c, d] = box.radii;
  if (a === width / 2 && width === height && b === a && c === a && d === a) {
    const turn = isHole ? 0 : 1;
    const [radius, wide] = [rounded(a), rounded(width)];
    return `M${rounded(x)} ${rounded(y + a)}a${radius} ${radius} 0 1 ${turn} ${wide} 0a${radius} ${radius} 0 1 ${turn}-${wide} 0z`;
  }
  if (isHole) return toPathData(toSegments(box));
  const arc = (radius: number, dx: number, dy: number) =>
    radius === 0 ? "" : `a${rounded(radius)} ${rounded(radius)} 0 0 1 ${rounded(dx * radius)} ${rounded(dy * radius)}`;
  const line = (command: "h" | "v", length: number) => (length === 0 ? "" : command + rounded(length));
  return [
    `M${rounded(x + a)} ${rounded(y)}`,
    line("h", width - a - b),
    arc(b, 1, 1),
    line("v", height - b - c),
    arc(c, -1, 1),
    line("h", c + d - width),
    arc(d, -1, -1),
    line("v", a + d - height),
    arc(a, 1, -1),
    "z",
  ].join("");
}

/** A thousandth of a module is enough. */
function rounded(number: number): string {
  return String(Math.round(number * 1_000) / 1_000);
}
