import { saveFile } from "../../lib/save-file.ts";
import { pngOf } from "../../lib/png-of.ts";

// The chart as a file that needs no style sheet: with the colours of the theme that is shown, a title and its source.

export type ImageFormat = "png" | "svg";

export interface ChartTexts {
  title: string;
  /** Below the title, such as the period and the filters. */
  lines: readonly string[];
  /** Where the numbers are from, below the chart. */
  source: string;
  /** Of the file, without its ending. */
  fileName: string;
}

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 20;
const TITLE_PX = 18;
const TEXT_PX = 13;
const LINE_PX = 20;
const FONT = "Figtree, system-ui, sans-serif";
/** The mean width of a character, as a part of the size of the font. */
const CHARACTER_EM = 0.55;
/** Pixels of a PNG for each of the chart, so that it is sharp in print and on dense screens. */
const PNG_SCALE = 2;
const STROKE_PROPERTIES = ["stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"];

/** Saves the chart, which must be shown, as an image. */
export async function saveChart(chart: SVGSVGElement, texts: ChartTexts, format: ImageFormat): Promise<void> {
  const image = drawImage(chart, texts);
  const svg = new Blob([new XMLSerializer().serializeToString(image)], { type: "image/svg+xml" });
  const { width, height } = image.viewBox.baseVal;
  const file = format === "svg" ? svg : await pngOf(svg, width * PNG_SCALE, height * PNG_SCALE);
  saveFile(file, `${texts.fileName}.${format}`);
}

function drawImage(chart: SVGSVGElement, { title, lines, source }: ChartTexts): SVGSVGElement {
  const { width: chartWidth, height: chartHeight } = chart.viewBox.baseVal;
  const width = chartWidth + 2 * MARGIN;
  const top = MARGIN + TITLE_PX + LINE_PX * lines.length + MARGIN / 2;
  const height = top + chartHeight + LINE_PX + MARGIN;
  const colourOf = colourReader(chart);
  const image = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT });
  const write = (text: string, y: number, size: number, colour: string, weight = 400) => {
    const most = Math.floor(chartWidth / (size * CHARACTER_EM));
    const line = element("text", { x: MARGIN, y, "font-size": size, "font-weight": weight, fill: colourOf(colour) });
    const characters = Array.from(text);
    line.textContent = characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
    image.appendChild(line);
  };
  image.appendChild(element("rect", { width, height, fill: colourOf("surface") }));
  write(title, MARGIN + TITLE_PX - 2, TITLE_PX, "ink", 700);
  for (const [index, line] of lines.entries())
    write(line, MARGIN + TITLE_PX + LINE_PX * (index + 1) - 2, TEXT_PX, "soft");
  const drawing = element("g", { transform: `translate(${MARGIN} ${top})` });
  for (const child of chart.children) drawing.appendChild(styledCopy(child));
  image.appendChild(drawing);
  write(source, height - MARGIN, TEXT_PX, "soft");
  return image;
}

function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | number>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  return made;
}

/** A copy with the styles of classes as attributes, because a file has no style sheet. */
function styledCopy(shown: Element): Element {
  const copy = shown.cloneNode(false) as Element;
  copy.removeAttribute("class");
  const style = getComputedStyle(shown);
  for (const paint of ["fill", "stroke"] as const) {
    const value = style.getPropertyValue(paint);
    if (value === "none") copy.setAttribute(paint, "none");
    else {
      const { colour, opacity } = plainColour(value);
      copy.setAttribute(paint, colour);
      if (opacity < 1) copy.setAttribute(`${paint}-opacity`, opacity.toFixed(2));
    }
  }
  if (style.stroke !== "none")
    for (const property of STROKE_PROPERTIES) copy.setAttribute(property, style.getPropertyValue(property));
  if (shown instanceof SVGTextElement) {
    copy.setAttribute("font-size", style.fontSize);
    copy.textContent = shown.textContent;
  } else for (const child of shown.children) copy.appendChild(styledCopy(child));
  return copy;
}

/** Reads colours of the theme in the way that the chart has them. */
function colourReader(chart: SVGSVGElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement("span");
    probe.style.color = `var(--color-${name})`;
    chart.parentElement?.appendChild(probe);
    const { colour } = plainColour(getComputedStyle(probe).color);
    probe.remove();
    return colour;
  };
}

/** A colour as `#0f5c6b`, which every program reads, and its opacity. Browsers compute some as `oklab(…)`. */
function plainColour(colour: string): { colour: string; opacity: number } {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (context === null) return { colour, opacity: 1 };
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
  const digits = [red, green, blue].map((each) => each.toString(16).padStart(2, "0"));
  return { colour: `#${digits.join("")}`, opacity: alpha / 255 };
}
