import { z } from "@hono/zod-openapi";
import { Id } from "../../platform/http/id.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { DEVICES } from "../../platform/visitor/kinds.ts";
import { TARGET_KINDS } from "../../click-log/click-record.ts";

export const TRIGGERS = ["link", "qr"] as const;

/** An example of a {@link ClickRecord}. */
export const CLICK_EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  linkId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  clickedAt: 1_790_000_000_000,
  geo: { country: "DE", region: "DE-BE", city: "Berlin", continent: "EU" },
  device: "mobile",
  browser: "Safari",
  os: "iOS",
  referrer: "www.news.example",
  source: "news.example",
  trigger: "link",
  target: { kind: "default", ruleId: null, url: "https://example.com/?utm_source=newsletter" },
  utm: { source: "newsletter", medium: null, campaign: null, term: null, content: null },
  bot: false,
} as const;

const Target = z
  .object({
    kind: z.enum(TARGET_KINDS).openapi({
      description:
        "`default` is the link's own `url`; `country` is a target of `geo`; `ios` and `android` also mean the page that opens the app.",
    }),
    ruleId: z.string().nullable().openapi({ description: "The id of the rule; null if the target is not one." }),
    url: z.string().openapi({ format: "iri", description: "Its URL at the time, without the visitor's parameters." }),
  })
  .openapi({ description: "The target that the visitor was sent to." });

const utmValue = (name: string) =>
  z
    .string()
    .nullable()
    .openapi({ description: `\`utm_${name}\`; null if the URL has none.` });

const ClickUtm = z
  .object({
    source: utmValue("source"),
    medium: utmValue("medium"),
    campaign: utmValue("campaign"),
    term: utmValue("term"),
    content: utmValue("content"),
  })
  .openapi({ description: "The UTM parameters of the target's URL." });

export const ClickRecord = z
  .object({
    id: Id,
    linkId: Id.openapi({ description: "The id of the link." }),
    clickedAt: Timestamp.openapi({ description: "When the link was clicked, in Unix milliseconds." }),
    geo: z
      .object({
        country: z.string().nullable().openapi({ description: "ISO 3166-1 alpha-2; null if unknown." }),
        region: z.string().nullable().openapi({ description: "ISO 3166-2; null if unknown." }),
        city: z.string().nullable().openapi({ description: "The name in English; null if unknown." }),
        continent: z.string().nullable().openapi({ description: "AF, AN, AS, EU, NA, OC or SA; null if unknown." }),
      })
      .openapi({ description: "Where the visitor was." }),
    device: z.enum(DEVICES).openapi({ description: "The kind of device." }),
    browser: z.string().openapi({ description: "The name of the browser." }),
    os: z.string().openapi({ description: "The name of the operating system." }),
    referrer: z.string().nullable().openapi({ description: "A host; null if there was no referrer." }),
    source: z.string().nullable().openapi({
      description:
        "The site of `referrer`, such as `facebook.com` for `l.facebook.com`; null if there was no referrer.",
    }),
    trigger: z.enum(TRIGGERS).openapi({ description: "Whether the link was followed or its QR code was scanned." }),
    target: Target,
    utm: ClickUtm,
    bot: z.boolean().openapi({ description: "A crawler, a link preview or a monitor." }),
  })
  .openapi("ClickRecord", {
    description: "A single click.",
    example: CLICK_EXAMPLE,
  });
