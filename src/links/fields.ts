import { z } from "@hono/zod-openapi";
import { isTypeable, LastTimeInput, lineOfProse, lineOfText, StartTimeInput } from "../platform/http/validation.ts";
import { normalisePassword } from "../platform/lib/password.ts";
import { SEGMENTS_PATTERN } from "../platform/lib/slug.ts";
import {
  MAX_ALIASES_PER_LINK,
  MAX_HOST_CHARS,
  MAX_PASSWORD_CHARS,
  MAX_PREVIEW_DESCRIPTION_CHARS,
  MAX_SLUG_CHARS,
  MAX_TAG_CHARS,
  MAX_TAGS_PER_LINK,
  MAX_TITLE_CHARS,
} from "../limits.ts";
import { uniqueTags } from "../platform/lib/tag-key.ts";

import { AppTarget, Destination, Geo, Rules } from "./target-fields.ts";
import { MAX_EXTERNAL_ID_CHARS, MAX_MAX_CLICKS, MAX_UTM_CHARS, MIN_EXPIRES_AT, MIN_PASSWORD_CHARS } from "./limits.ts";
import { because } from "../platform/http/faults.ts";

/** The fields of links in requests. A new setting also needs its place in contract.ts, store/row.ts and schema.sql. */

const SLUG_FORM = because("wrong_slug", { max: MAX_SLUG_CHARS });

// Two checks, because many clients of OpenAPI have regular expressions without lookahead.
export const Slug = z
  .string()
  .max(MAX_SLUG_CHARS, { error: SLUG_FORM, abort: true })
  .regex(SEGMENTS_PATTERN, SLUG_FORM)
  .openapi({
    description:
      "Stored as written. Upper and lower case are the same, unless the domain is case-sensitive. Slashes need `nestedSlugs`.",
    example: "Spring-26",
  });

/** A change of the aliases can only remove some. */
export const Aliases = z.array(Slug).max(MAX_ALIASES_PER_LINK).openapi({
  description:
    "The aliases that the link keeps; all others are removed. A new one cannot be given: an update of `slug` makes the former slug an alias.",
  example: [],
});

export const Domain = z
  .string()
  .min(1)
  .max(MAX_HOST_CHARS)
  .refine(isTypeable, because("unreadable"))
  .openapi({ description: "The service's own domain, or a verified domain of the account.", example: "go.example" });

const utmValue = (name: string) =>
  lineOfText(MAX_UTM_CHARS)
    .optional()
    .openapi({ description: `The value of \`utm_${name}\`.` });

const UTM_PARAMETERS = ["source", "medium", "campaign", "term", "content"];

export const Utm = z
  .strictObject({
    source: utmValue("source"),
    medium: utmValue("medium"),
    campaign: utmValue("campaign"),
    term: utmValue("term"),
    content: utmValue("content"),
  })
  .refine(
    (utm) => Object.values(utm).some((value) => value !== undefined),
    because("nothing_given", { allowed: UTM_PARAMETERS }),
  )
  .openapi("Utm", {
    minProperties: 1,
    description:
      "Set in the query of `url` as `utm_source` and so on, and replaces present values. Other destinations keep their queries.",
    example: { source: "newsletter", medium: "email" },
  });
export type Utm = z.infer<typeof Utm>;

export const RedirectStatus = z
  .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)], {
    error: because("not_one_of", { allowed: [301, 302, 307, 308] }),
  })
  .openapi({
    type: "integer",
    enum: [301, 302, 307, 308],
    description:
      "The status of the redirect. Browsers may cache 301 and 308, and then visits are neither counted nor redirected anew.",
    example: 302,
  });

export const TagName = lineOfProse(MAX_TAG_CHARS).refine(
  (name) => !/^\.{1,2}$/.test(name),
  // `/api/tags/..` is another path.
  because("dots_only"),
);

const Tags = z
  .array(TagName)
  .max(MAX_TAGS_PER_LINK)
  .transform(uniqueTags)
  .openapi({ description: "Tags that differ only in case are one tag. The first spelling is kept." });

const MaxClicks = z.number().int().min(1).max(MAX_MAX_CLICKS);

export const Password = z
  .string()
  .transform(normalisePassword)
  .refine(
    (password) => {
      const { length } = Array.from(password);
      return length >= MIN_PASSWORD_CHARS && length <= MAX_PASSWORD_CHARS;
    },
    because("wrong_length", { min: MIN_PASSWORD_CHARS, max: MAX_PASSWORD_CHARS }),
  )
  .refine(isTypeable, because("unreadable"))
  .openapi({
    format: "password",
    writeOnly: true,
    minLength: MIN_PASSWORD_CHARS,
    maxLength: MAX_PASSWORD_CHARS,
    description: "Visitors must enter it. Responses only tell whether there is one (`hasPassword`).",
    example: "tern in the wind",
  });

export const Preview = z
  .strictObject({
    title: lineOfProse(MAX_TITLE_CHARS).nullable().default(null).openapi({ description: "The title of the preview." }),
    description: lineOfProse(MAX_PREVIEW_DESCRIPTION_CHARS)
      .nullable()
      .default(null)
      .openapi({ description: "The text below the title." }),
    image: Destination.nullable().default(null).openapi({ description: "The URL of an image." }),
  })
  .refine(
    (preview) => Object.values(preview).some((value) => value !== null),
    because("nothing_given", { allowed: ["title", "description", "image"] }),
  )
  .openapi("Preview", {
    description: "What social networks show for a link. At least one field is not null.",
    example: { title: "Spring sale", description: null, image: "https://example.com/spring.png" },
  });

const APP_TARGET =
  "A web address, or an address with the scheme of an app or a store. A web address opens the app if the app has claimed it. For an app's scheme, browsers get a page that opens the app, and that continues to the web destination if the app is not installed.";

const IN_MILLISECONDS = because("not_milliseconds");

export const settings = {
  title: lineOfProse(MAX_TITLE_CHARS).nullish().openapi({ description: "A name for people." }),
  tags: Tags.nullish().openapi({
    description:
      "Labels, by which links can be listed. Tags that differ only in case are one tag; the first spelling is kept.",
  }),
  disabled: z.boolean().nullish().openapi({
    description:
      "Ends the link: visitors get its `expiredUrl`, or a 410. Its clicks are kept, and `false` lets it redirect again. Default: false.",
  }),
  archived: z
    .boolean()
    .nullish()
    .openapi({ description: "Hides the link from lists. It still redirects. Default: false." }),
  startsAt: StartTimeInput.refine((time) => !(time < MIN_EXPIRES_AT), IN_MILLISECONDS)
    .nullish()
    .openapi({
      description:
        "When the link begins to redirect, before `expiresAt`: Unix milliseconds, ISO 8601, or a day in UTC. Until then visitors get the `notFoundUrl` of its custom domain, or a 404.",
    }),
  expiresAt: LastTimeInput.refine((time) => !(time < MIN_EXPIRES_AT), IN_MILLISECONDS)
    .nullish()
    .openapi({
      description:
        "When the link ends: Unix milliseconds, ISO 8601, or a day in UTC. A time that has passed ends it at once.",
    }),
  expiredUrl: Destination.nullish().openapi({
    description: "The destination after the link has expired. Without it, visitors get a 410.",
  }),
  maxClicks: MaxClicks.nullish().openapi({
    description:
      "The exact number of visits after which the link expires. Visits during which it had no limit do not count.",
  }),
  externalId: lineOfText(MAX_EXTERNAL_ID_CHARS)
    .nullish()
    .openapi({ description: "Your own id of the link, unique in the account." }),
  redirectStatus: RedirectStatus.nullish().openapi({ type: ["integer", "null"], enum: [301, 302, 307, 308, null] }),
  passParameters: z.boolean().nullish().openapi({
    description:
      "Whether the visitor's query parameters are added to the destination. `false` keeps every destination of the link as it is stored, such as a signed URL. Clicks are recorded as before. Default: true.",
  }),
  password: Password.nullish(),
  rules: Rules.nullish().openapi({
    description:
      "The first rule that matches a visitor gives the destination. If none matches, `ios`, `android`, `geo` and `url` are tried, in this order. Browsers never cache the redirects of a link with any of these.",
  }),
  ios: AppTarget.nullish().openapi({ description: `The destination on iPhones and iPads. ${APP_TARGET}` }),
  android: AppTarget.nullish().openapi({ description: `The destination on Android. ${APP_TARGET}` }),
  geo: Geo.nullish().openapi({ description: "Destinations by country." }),
  preview: Preview.nullish(),
};
