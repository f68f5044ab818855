import { encodeQR } from "qr";
import { cutoutOf, logoSquare } from "#src/qr/cutout.ts";
import { pathOf } from "#src/qr/plain-path.ts";
import { USUAL_STYLE, isDrawable, type QrStyle } from "./style.ts";

const LEVELS = { L: "low", M: "medium", Q: "quartile", H: "high" } as const;

/** Draws the code of a text in the page, for links that the service does not have yet. */
export function LocalCode({
  text,
  style,
  label,
  className,
}: {
  text: string;
  style: QrStyle;
  label: string;
  className?: string;
}) {
  const { foreground, background, level, logo, ...drawn } = isDrawable(style) ? style : USUAL_STYLE;
  const margin = Number(drawn.margin);
  // The library always draws a border, so it is cut off.
  const modules = encodeQR(text, "raw", { ecc: LEVELS[level], border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1));
  const width = modules.length + 2 * margin;
  const cutout = logo === null ? null : cutoutOf(modules.length);
  return (
    <svg
      viewBox={`0 0 ${width} ${width}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      className={className}
    >
      <rect width={width} height={width} fill={background} />
      <path d={pathOf(modules, margin, cutout)} fill={foreground} />
      {logo !== null && cutout !== null && <image href={logo} {...logoSquare(cutout, margin)} />}
    </svg>
  );
}
