import { escapeHtml } from "../lib/escape-html.ts";
import { MAX_QR_LOGO_SHARE } from "../limits.ts";
import type { Code } from "./code.ts";

/** The code as an SVG document. One unit of its coordinates is one module. */
export function toSvg({ modules, style }: Code): string {
  const width = modules.length + 2 * style.margin;
  const patch = style.logo === null ? null : patchOf(modules.length);
  const shapes = [
    element("rect", { width, height: width, fill: style.background }),
    element("path", { fill: style.foreground, d: pathOf(modules, style.margin, patch) }),
  ];
  if (style.logo !== null && patch !== null) {
    // Half a module of the patch stays free on every side.
    const [corner, side] = [style.margin + patch.start + 0.5, patch.width - 1];
    shapes.push(element("image", { href: style.logo, x: corner, y: corner, width: side, height: side }));
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

/** The modules in the middle that are left out for a logo: a square of whole modules. */
interface Patch {
  start: number;
  width: number;
}

/** A code has an odd number of modules in a row, so has its patch: else it would not be in the middle. */
function patchOf(modules: number): Patch {
  const most = Math.floor(modules * MAX_QR_LOGO_SHARE);
  const width = most % 2 === 1 ? most : most - 1;
  return { start: (modules - width) / 2, width };
}

/** A rectangle for each run of dark modules in a row. */
function pathOf(modules: boolean[][], margin: number, patch: Patch | null): string {
  const covered = (at: number) => patch !== null && at >= patch.start && at < patch.start + patch.width;
  let path = "";
  for (const [y, row] of modules.entries()) {
    let run = 0;
    for (let x = 0; x <= row.length; x++) {
      if (row[x] === true && !(covered(x) && covered(y))) {
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
