import { z } from "@hono/zod-openapi";
import { lineOfProse } from "../platform/http/validation.ts";
import { COLOUR, normaliseColour } from "../platform/lib/colour.ts";
import { MAX_BRAND_LOGO_CHARS, MAX_BRAND_NAME_CHARS } from "./limits.ts";
import { because } from "../platform/http/faults.ts";

// Whose pages visitors see: the password page, errors and previews of a domain's links.

export const BRAND_NAME = "The name at the top of the pages of the domain's links; null: none.";
export const BRAND_LOGO =
  "The https URL of the image at the top of these pages. Browsers of visitors load it from there, without a referrer; null: none.";
export const BRAND_COLOR =
  "The colour of the buttons of these pages, `#rrggbb`. Text on it is black or white, whichever is easier to read; null: the service's.";

export const BrandName = lineOfProse(MAX_BRAND_NAME_CHARS)
  .nullish()
  .openapi({ description: BRAND_NAME, example: "Acme" });

/** The policy of a page names the logo's origin, so the host has no character that means something there. */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

export const BrandLogo = z
  .string()
  .trim()
  .max(MAX_BRAND_LOGO_CHARS)
  .transform((text, context) => {
    const url = URL.parse(text);
    const isSafe = url?.protocol === "https:" && HOST.test(url.hostname) && url.username + url.password === "";
    if (isSafe && url.href.length <= MAX_BRAND_LOGO_CHARS) return url.href;
    context.addIssue({
      code: "custom",
      message: because("not_an_image_url", { max: MAX_BRAND_LOGO_CHARS }),
    });
    return z.NEVER;
  })
  .nullish()
  .openapi({
    type: ["string", "null"],
    format: "uri",
    maxLength: MAX_BRAND_LOGO_CHARS,
    description: BRAND_LOGO,
    example: "https://acme.com/logo.svg",
  });

export const BrandColor = z
  .string()
  .regex(COLOUR, because("not_a_colour"))
  .transform(normaliseColour)
  .nullish()
  .openapi({ type: ["string", "null"], maxLength: 7, description: BRAND_COLOR, example: "#0f5c6b" });
