export interface Element {
  name: string;
  attributes: Record<string, string>;
}

const TAG = /<(\/?)([A-Za-z]+)((?: [\w:-]+="[^"<>]*")*)(\/?)>/y;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Parses an XML document that only has elements. Throws for text, comments and unclosed elements. */
export function readXml(text: string): Element[] {
  const elements: Element[] = [];
  const open: string[] = [];
  TAG.lastIndex = 0;
  while (TAG.lastIndex < text.length) {
    const at = TAG.lastIndex;
    const [, closing, name = "", attributes = "", empty] = TAG.exec(text) ?? [];
    if (name === "") throw new Error(`XML: no tag at ${at}: ${text.slice(at, at + 60)}`);
    if (closing === "/") {
      if (open.pop() !== name) throw new Error(`XML: ${name} closed in the wrong place`);
    } else {
      elements.push({ name, attributes: readAttributes(attributes) });
      if (empty === "") open.push(name);
    }
  }
  if (open.length > 0) throw new Error(`XML: ${open.join()} not closed`);
  return elements;
}

function readAttributes(text: string): Record<string, string> {
  const pairs = Array.from(text.matchAll(/ ([\w:-]+)="([^"<>]*)"/g), ([, name = "", value = ""]) => {
    const unescaped = value.replaceAll(/&([^;]*);?/g, (_, entity: string) => {
      const character = ENTITIES[entity];
      if (character === undefined) throw new Error(`XML: unknown entity ${entity}`);
      return character;
    });
    return [name, unescaped] as const;
  });
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length) throw new Error("XML: an attribute twice");
  return Object.fromEntries(pairs);
}

export interface SvgCode {
  size: number;
  /** Number of modules of one side, with the margin. */
  width: number;
  background: string;
  foreground: string;
  /** Rows of modules with the margin; true is the foreground. */
  modules: boolean[][];
  /** The position in modules, and the image. */
  logo: { x: number; y: number; width: number; height: number; href: string } | null;
}

/** Draws an SVG of the service as a viewer does, module by module. Throws for unexpected content. */
export function readSvg(text: string): SvgCode {
  const [svg, rect, path, image, ...others] = readXml(text);
  const names = [svg, rect, path, ...(image === undefined ? [] : [image]), ...others].map((element) => element?.name);
  same(names, image === undefined ? ["svg", "rect", "path"] : ["svg", "rect", "path", "image"]);
  const size = Number(svg?.attributes["width"]);
  const width = Number(svg?.attributes["viewBox"]?.split(" ")[2]);
  same(svg?.attributes, {
    xmlns: "http://www.w3.org/2000/svg",
    width: `${size}`,
    height: `${size}`,
    viewBox: `0 0 ${width} ${width}`,
    "shape-rendering": "crispEdges",
  });
  const background = rect?.attributes["fill"] ?? "";
  same(rect?.attributes, { width: `${width}`, height: `${width}`, fill: background });
  const { fill: foreground = "", d = "", ...rest } = path?.attributes ?? {};
  same(rest, {});
  const { href = "", ...box } = image?.attributes ?? {};
  const at = (name: string) => Number(box[name]);
  const logo = image === undefined ? null : { x: at("x"), y: at("y"), width: at("width"), height: at("height"), href };
  same(Object.keys(box), image === undefined ? [] : ["x", "y", "width", "height"]);
  return { size, width, background, foreground, modules: drawPath(d, width), logo };
}

function drawPath(d: string, width: number): boolean[][] {
  const modules = Array.from({ length: width }, () => Array.from({ length: width }, () => false));
  const leftOver = d.replaceAll(
    /M(\d+) (\d+)h(\d+)v1h-(\d+)z/g,
    (_, x: string, y: string, run: string, back: string) => {
      same(run, back);
      for (let at = Number(x); at < Number(x) + Number(run); at++) {
        const row = modules[Number(y)];
        if (row?.[at] !== false) throw new Error(`SVG: ${at},${y} is outside, or drawn twice`);
        row[at] = true;
      }
      return "";
    },
  );
  same(leftOver, "");
  return modules;
}

function same(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`SVG: ${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}
