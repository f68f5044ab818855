import { escapeHtml } from "../lib/escape-html.ts";
import type { Code } from "./code.ts";
import { MAX_QR_LOGO_SHARE } from "./limits.ts";

/** Draws the code as an SVG. One unit of its coordinates is one module. */
export function toSvg({ modules, style }: Code): string {
  const width = modules.length + 2 * style.margin;
  const cutout = style.logo === null ? null : cutoutOf(modules.length);
  const shapes = [
    element("rect", { width, height: width, fill: style.background }),
    element("path", { fill: style.foreground, d: pathOf(modules, style.margin, cutout) }),
  ];
  if (style.logo !== null && cutout !== null) {
    shapes.push(element("image", { href: style.logo, ...logoSquare(cutout, style.margin) }));
  }
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width: style.size,
      height: style.size,
      viewBox: `0 0 ${width} ${width}`,
      "shape-rendering": "crispEdges",
    },
    shapes.join(""),
  );
}

/** The square of modules in the centre that is left empty for a logo. */
interface Cutout {
  start: number;
  width: number;
}

/** A code has an odd number of modules in a row, so only a cutout with an odd number can be centred. */
export function cutoutOf(modules: number): Cutout {
  const most = Math.floor(modules * MAX_QR_LOGO_SHARE);
  const width = most % 2 === 1 ? most : most - 1;
  return { start: (modules - width) / 2, width };
}

/** Where the logo is. Half a module of the cutout stays empty on each side. */
export function logoSquare({ start, width }: Cutout, margin: number) {
  const [corner, side] = [margin + start + 0.5, width - 1];
  return { x: corner, y: corner, width: side, height: side };
}

/** Draws a rectangle for each run of dark modules in a row. */
export function pathOf(modules: boolean[][], margin: number, cutout: Cutout | null): string {
  const isCut = (at: number) => cutout !== null && at >= cutout.start && at < cutout.start + cutout.width;
  let path = "";
  for (const [y, row] of modules.entries()) {
    let run = 0;
    for (let x = 0; x <= row.length; x++) {
      if (row[x] === true && !(isCut(x) && isCut(y))) {
        run++;
      } else if (run > 0) {
        path += `M${x - run + margin} ${y + margin}h${run}v1h-${run}z`;
        run = 0;
      }
    }
  }
  return path;
}

function element(name: string, attributes: Record<string, string | number>, content = ""): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`);
  return `<${name}${written.join("")}${content === "" ? "/>" : `>${content}</${name}>`}`;
}
