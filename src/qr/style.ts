import type { Level } from "./contract.ts";

/** The options of a code, with the defaults filled in. */
export interface Style {
  level: Level;
  /** Width of the image, in pixels, and of a PDF, in millimetres. */
  size: number;
  sizeMm: number;
  /** Width of the margin, in modules. */
  margin: number;
  /** `#rrggbb`. */
  foreground: string;
  /** `#rrggbb`. */
  background: string;
  /** A data URI. */
  logo: string | null;
  /** Width of the logo, percent of the code's. */
  logoSize: number;
  dots: "square" | "rounded" | "round";
  corners: "square" | "rounded" | "circle";
  /** The call to action in the frame; null: no frame. */
  frameText: string | null;
  /** `#rrggbb`. */
  frameColor: string;
}

export interface Code {
  /** Rows from the top; true is dark. As many columns as rows. */
  modules: boolean[][];
  style: Style;
}
