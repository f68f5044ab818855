import { encodeQR } from "qr";
import { toBoxData } from "#src/qr/contours.ts";
import { cutoutOf, logoSquare } from "#src/qr/cutout.ts";
import { formsOf, isPlain } from "#src/qr/forms.ts";
import { pathOf } from "#src/qr/plain-path.ts";
import { USUAL_STYLE, isDrawable, type QrStyle } from "./style.ts";

const LEVEL_NAMES = { L: "low", M: "medium", Q: "quartile", H: "high" } as const;

/** Draws the code of a text in the page, without a frame, for links that the service does not have yet. */
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
  const { foreground, background, level, logo, dots, corners, ...drawn } = isDrawable(style) ? style : USUAL_STYLE;
  const margin = Number(drawn.margin);
  // The library always draws a border, so it is cut off.
  const modules = encodeQR(text, "raw", { ecc: LEVEL_NAMES[level], border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1));
  const width = modules.length + 2 * margin;
  const cutout = logo === null ? null : cutoutOf(modules.length, Number(drawn.logoSize));
  const isSquare = isPlain({ dots, corners, frameText: null });
  return (
    <svg
      viewBox={`0 0 ${width} ${width}`}
      {...(isSquare && { shapeRendering: "crispEdges" })}
      role="img"
      aria-label={label}
      className={className}
    >
      <rect width={width} height={width} fill={background} />
      <path
        d={
          isSquare
            ? pathOf(modules, margin, cutout)
            : formsOf(modules, { dots, corners }, margin, cutout).map(toBoxData).join("")
        }
        fill={foreground}
      />
      {logo !== null && cutout !== null && <image href={logo} {...logoSquare(cutout, margin)} />}
    </svg>
  );
}
