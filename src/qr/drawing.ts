import { textColourOn } from "../platform/lib/colour.ts";
import type { Code, Style } from "./style.ts";
import { square, type Box, type Segment } from "./contours.ts";
import { lettering } from "./lettering.ts";
import { cutoutOf, logoSquare } from "./cutout.ts";
import { formsOf } from "./forms.ts";

// No I/O: what is drawn of a code, for all formats. Coordinates are modules, from the top left.

/** One colour. */
interface Layer {
  /** `#rrggbb`. */
  colour: string;
  /** The colour that it is drawn on. */
  below: string;
  boxes: Box[];
  outlines: Segment[];
}

export interface Drawing {
  width: number;
  height: number;
  background: string;
  layers: Layer[];
  /** Where the logo is drawn. */
  logo: { x: number; y: number; width: number; height: number } | null;
}

/** Width of a frame, share of the code with its margin. */
const FRAME_SHARE = 0.03;
/** Height of the bar with the call to action below the code. */
const BAR_SHARE = 0.17;
/** Radius of the frame's corners. */
const FRAME_RADIUS_SHARE = 0.07;

/** Width and height of the image, in modules, and width of its frame. */
export function extentOf({ margin, frameText }: Style, modules: number) {
  const inner = modules + 2 * margin;
  const frame = frameText === null ? 0 : inner * FRAME_SHARE;
  return {
    inner,
    frame,
    width: inner + 2 * frame,
    height: frameText === null ? inner : inner * (1 + BAR_SHARE) + frame,
  };
}

export function drawingOf({ modules, style }: Code): Drawing {
  const { inner, frame, width, height } = extentOf(style, modules.length);
  const start = frame + style.margin;
  const cutout = style.logo === null ? null : cutoutOf(modules.length, style.logoSize);
  const code = {
    colour: style.foreground,
    below: style.background,
    boxes: formsOf(modules, style, start, cutout),
    outlines: [],
  };
  return {
    width,
    height,
    background: style.background,
    layers: style.frameText === null ? [code] : [...frameOf(style.frameText, style, inner), code],
    logo: cutout === null ? null : logoSquare(cutout, start),
  };
}

function frameOf(text: string, { frameColor: colour, background }: Style, inner: number): Layer[] {
  const [frame, bar, radius] = [inner * FRAME_SHARE, inner * BAR_SHARE, inner * FRAME_RADIUS_SHARE];
  const width = inner + 2 * frame;
  const height = inner + frame + bar;
  const outer: Box = { x: 0, y: 0, width, height, radii: [radius, radius, radius, radius] };
  const panel: Box = { ...square(frame, frame, inner, radius - frame), isHole: true };
  const space = { x: width / 2, y: height - bar / 2, width: width - 4 * frame - radius, height: bar * 0.45 };
  return [
    { colour, below: background, boxes: [outer, panel], outlines: [] },
    { colour: textColourOn(colour), below: colour, boxes: [], outlines: lettering(text, space) },
  ];
}
