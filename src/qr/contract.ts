import { createRoute, z } from "@hono/zod-openapi";
import { jsonBody, operation } from "../platform/http/contract.ts";
import { ifNoneMatchHeaders } from "../platform/http/etag.ts";
import { idParams } from "../platform/http/id.ts";
import { lineOfProse } from "../platform/http/validation.ts";
import { MIN_QR_CONTRAST_RATIO } from "../limits.ts";
import { COLOUR, normaliseColour } from "../platform/lib/colour.ts";
import { logoError, MAX_LOGO_CHARS } from "./logo.ts";
import {
  DEFAULT_QR_LOGO_PERCENT,
  DEFAULT_QR_MARGIN_MODULES,
  DEFAULT_QR_SIZE_MM,
  DEFAULT_QR_SIZE_PX,
  MAX_QR_CONTENT_CHARS,
  MAX_QR_FRAME_TEXT_CHARS,
  MAX_QR_LOGO_BYTES,
  MAX_QR_LOGO_PERCENT,
  MAX_QR_MARGIN_MODULES,
  MAX_QR_SIZE_MM,
  MAX_QR_SIZE_PX,
  MIN_QR_LOGO_PERCENT,
  MIN_QR_MODULE_MM,
  MIN_QR_SIZE_MM,
  MIN_QR_SIZE_PX,
} from "./limits.ts";
import { because } from "../platform/http/faults.ts";

// Fields of both requests

export const FORMATS = ["svg", "png", "pdf"] as const;
const Format = z
  .enum(FORMATS)
  .optional()
  .openapi({ description: "By default, the format that the Accept header prefers, or `svg`." });
export type Format = (typeof FORMATS)[number];

const Level = z.enum(["L", "M", "Q", "H"]).optional().openapi({
  description:
    "Error correction: 7, 15, 25 or 30 % of the code may be damaged or covered. `M` by default. With a logo, `H` by default, and only Q and H are allowed.",
});
export type Level = "L" | "M" | "Q" | "H";

const colour = (defaultColour: string, description: string) =>
  z
    .string()
    .regex(COLOUR, because("not_a_colour"))
    .transform(normaliseColour)
    .optional()
    .openapi({ type: "string", pattern: COLOUR.source, default: defaultColour, description, example: defaultColour });

const Logo = z
  .string()
  .superRefine((text, context) => {
    const message = logoError(text);
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .optional()
  .openapi({
    maxLength: MAX_LOGO_CHARS,
    description: `A PNG or JPEG of at most ${MAX_QR_LOGO_BYTES} bytes as a base64 data URI, drawn in the centre.`,
  });

const frameColour = z
  .string()
  .regex(COLOUR, because("not_a_colour"))
  .transform(normaliseColour)
  .optional()
  .openapi({ type: "string", pattern: COLOUR.source, description: "Of the frame; by default the foreground." });

const appearance = {
  level: Level,
  foreground: colour(
    "#000000",
    `Darker than the background, with a contrast of at least ${MIN_QR_CONTRAST_RATIO} to 1.`,
  ),
  background: colour("#ffffff", "Always opaque: on an unknown background the contrast could not be checked."),
  logo: Logo,
  dots: z
    .enum(["square", "rounded", "round"])
    .optional()
    .openapi({ default: "square", description: "The form of the modules: joined with round ends, or single dots." }),
  corners: z
    .enum(["square", "rounded", "circle"])
    .optional()
    .openapi({ default: "square", description: "The form of the three large corner patterns." }),
  frameText: lineOfProse(MAX_QR_FRAME_TEXT_CHARS).optional().openapi({
    description: "A call to action below the code, with a frame around both. The image then is higher than wide.",
    example: "Scan me",
  }),
  frameColor: frameColour,
};

const wholeNumber = (min: number, max: number) =>
  z
    .number()
    .int(because("not_whole"))
    .min(min, because("out_of_range", { min, max }))
    .max(max, because("out_of_range", { min, max }));

const Size = wholeNumber(MIN_QR_SIZE_PX, MAX_QR_SIZE_PX);
const LogoSize = wholeNumber(MIN_QR_LOGO_PERCENT, MAX_QR_LOGO_PERCENT.H);
const logoSizeDoc = {
  type: "integer" as const,
  minimum: MIN_QR_LOGO_PERCENT,
  maximum: MAX_QR_LOGO_PERCENT.H,
  default: DEFAULT_QR_LOGO_PERCENT,
  description: `Width of the logo with the space around it, in percent of the code without margin; at level Q at most ${MAX_QR_LOGO_PERCENT.Q}.`,
};
const SizeMm = wholeNumber(MIN_QR_SIZE_MM, MAX_QR_SIZE_MM);
const sizeMmDoc = {
  type: "integer" as const,
  minimum: MIN_QR_SIZE_MM,
  maximum: MAX_QR_SIZE_MM,
  default: DEFAULT_QR_SIZE_MM,
  description: `Width of a PDF in millimetres, at least ${MIN_QR_MODULE_MM} for each module.`,
};
const sizeDoc = {
  type: "integer" as const,
  minimum: MIN_QR_SIZE_PX,
  maximum: MAX_QR_SIZE_PX,
  default: DEFAULT_QR_SIZE_PX,
  description: "Width and height of an SVG or PNG in pixels, at least one pixel for each module.",
};
const Margin = wholeNumber(0, MAX_QR_MARGIN_MODULES);
const marginDoc = {
  type: "integer" as const,
  minimum: 0,
  maximum: MAX_QR_MARGIN_MODULES,
  default: DEFAULT_QR_MARGIN_MODULES,
  description: "The width of the empty border, in modules.",
};
const downloadDoc = {
  type: "boolean" as const,
  default: false,
  description: "Whether browsers save the image as a file.",
};

const MakeQrCode = z
  .strictObject({
    content: z
      .string()
      .min(1)
      .refine((text) => text.isWellFormed(), because("unreadable_character"))
      .openapi({
        maxLength: MAX_QR_CONTENT_CHARS,
        description: "Any text, encoded as UTF-8. The level limits its length further.",
      }),
    format: Format,
    ...appearance,
    logoSize: LogoSize.optional().openapi(logoSizeDoc),
    size: Size.optional().openapi(sizeDoc),
    sizeMm: SizeMm.optional().openapi(sizeMmDoc),
    margin: Margin.optional().openapi(marginDoc),
    download: z.boolean().optional().openapi(downloadDoc),
  })
  // Not a component: in a component, generators of types take a field with a default for one that is required.
  .openapi({
    description: "A QR code to draw.",
    example: { content: "WIFI:T:WPA;S:Tern;P:arctic;;", format: "png", level: "Q", size: 1024 },
  });

export type QrOptions = Omit<z.infer<typeof MakeQrCode>, "content">;

/** All that a code can look like, but its size. */
export const looks = {
  ...appearance,
  logoSize: LogoSize.optional().openapi(logoSizeDoc),
  margin: Margin.optional().openapi(marginDoc),
};

/** How codes look that are drawn with at least `minSize` pixels. */
export function codeSettings(minSize: number) {
  return {
    ...looks,
    size: wholeNumber(minSize, MAX_QR_SIZE_PX)
      .optional()
      .openapi({ ...sizeDoc, minimum: minSize }),
  };
}

export const DOMAIN_STYLE = "Whether the style of the link's domain has what is not given here.";

/** The same fields in a query, where every value is a string. */
const numeral = z.string().regex(/^\d{1,4}$/, because("not_whole"));
const query = z.strictObject({
  format: Format,
  ...appearance,
  logoSize: numeral.transform(Number).pipe(LogoSize).optional().openapi(logoSizeDoc),
  size: numeral.transform(Number).pipe(Size).optional().openapi(sizeDoc),
  sizeMm: numeral.transform(Number).pipe(SizeMm).optional().openapi(sizeMmDoc),
  margin: numeral.transform(Number).pipe(Margin).optional().openapi(marginDoc),
  download: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .openapi(downloadDoc),
  domainStyle: z.enum(["true", "false"]).optional().openapi({
    type: "boolean",
    default: true,
    description: DOMAIN_STYLE,
  }),
});

// Responses

const text = (description: string) => ({ description, schema: { type: "string" as const } });
const validators = {
  ETag: text("Identifies this image. Send it as If-None-Match."),
  "Cache-Control": text("Browsers may cache the image and must revalidate it."),
};
const image = {
  description: "The image.",
  headers: {
    ...validators,
    "Content-Disposition": text("The name of the file, with `download`."),
    "Content-Security-Policy": text("For an SVG: it cannot run or load anything."),
  },
  content: {
    "image/svg+xml": { schema: z.string() },
    "image/png": { schema: z.string().openapi({ format: "binary" }) },
    "application/pdf": { schema: z.string().openapi({ format: "binary" }) },
  },
};

// Routes

export const getLinkQrCode = createRoute({
  ...operation("get", "/api/links/{id}/qr", "QR codes", "Get link QR code"),
  description:
    "The code contains the short URL with `?qr=1`, so that clicks through the code can be counted separately.",
  request: { params: idParams("link"), query, headers: ifNoneMatchHeaders },
  responses: {
    200: image,
    304: { description: "The image with the ETag in If-None-Match is current.", headers: validators },
  },
});

export const makeQrCode = createRoute({
  ...operation("post", "/api/qr", "QR codes", "Make QR code"),
  request: jsonBody(MakeQrCode),
  responses: { 200: image },
});
