import { escapeHtml } from "../platform/lib/escape-html.ts";
import type { Code } from "./style.ts";
import { toBoxData, toPathData } from "./contours.ts";
import { cutoutOf, logoSquare } from "./cutout.ts";
import { drawingOf } from "./drawing.ts";
import { isPlain } from "./forms.ts";
import { pathOf } from "./plain-path.ts";

/** Draws the code as an SVG. One unit of its coordinates is one module. */
export function toSvg(code: Code): string {
  return isPlain(code.style) ? toPlainSvg(code) : toDrawnSvg(code);
}

function toDrawnSvg(code: Code): string {
  const { width, height, background, layers, logo } = drawingOf(code);
  const { size, logo: href } = code.style;
  const shapes = [
    element("rect", { width: round(width), height: round(height), fill: background }),
    ...layers.map(({ colour, boxes, outlines }) =>
      element("path", { fill: colour, d: boxes.map(toBoxData).join("") + toPathData(outlines) }),
    ),
  ];
  if (href !== null && logo !== null) {
    const { x, y, width: side } = logo;
    shapes.push(element("image", { href, x: round(x), y: round(y), width: round(side), height: round(side) }));
  }
  const box = { width: size, height: round((size * height) / width), viewBox: `0 0 ${round(width)} ${round(height)}` };
  return element("svg", { xmlns: "http://www.w3.org/2000/svg", ...box }, shapes.join(""));
}

function round(number: number): number {
  return Math.round(number * 1_000) / 1_000;
}

function toPlainSvg({ modules, style }: Code): string {
  const width = modules.length + 2 * style.margin;
  const cutout = style.logo === null ? null : cutoutOf(modules.length, style.logoSize);
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

function element(name: string, attributes: Record<string, string | number>, content = ""): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(String(value))}"`);
  return `<${name}${written.join("")}${content === "" ? "/>" : `>${content}</${name}>`}`;
}
