import { z } from "@hono/zod-openapi";
import { EndTimeInput, isTypeable, LastTimeInput, lineOfText, StartTimeInput } from "../http/validation.ts";
import { normalisePassword } from "../lib/password.ts";
import { SLUG_PATTERN } from "../redirect/slug-pattern.ts";
import {
  MAX_ALIASES_PER_LINK,
  MAX_EXTERNAL_ID_CHARS,
  MAX_GEO_TARGETS,
  MAX_HOST_CHARS,
  MAX_MAX_CLICKS,
  MAX_PASSWORD_CHARS,
  MAX_PREVIEW_DESCRIPTION_CHARS,
  MAX_RULE_VALUES,
  MAX_RULES_PER_LINK,
  MAX_SLUG_CHARS,
  MAX_TAG_CHARS,
  MAX_TAGS_PER_LINK,
  MAX_TITLE_CHARS,
  MAX_URL_CHARS,
  MAX_UTM_CHARS,
  MIN_EXPIRES_AT,
  MIN_PASSWORD_CHARS,
} from "../limits.ts";
import { DEVICES, SYSTEMS } from "../visitor/client.ts";
import { appTargetError, destinationError, withScheme, withSchemeOrApp } from "./destination.ts";
import { canonicalHost, canonicalLanguage, isCountry } from "./normalize.ts";

/** The fields of links in requests. A new setting also needs its place in contract.ts, store/row.ts and schema.sql. */

export const Destination = z
  .string()
  .max(MAX_URL_CHARS, `must have at most ${MAX_URL_CHARS} characters`)
  .superRefine((url, context) => {
    const message = destinationError(withScheme(url));
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .transform(withScheme)
  .openapi({
    format: "iri-reference",
    description: "A URL without a scheme, such as `example.com/spring`, gets https.",
    example: "https://example.com/spring?ref=poster",
  });

export const Slug = z
  .string()
  .regex(SLUG_PATTERN, `must be 1 to ${MAX_SLUG_CHARS} letters, digits, - or _`)
  .openapi({ description: "Stored as written. Upper and lower case are the same.", example: "Spring-26" });

/** A change of the aliases can only remove some. */
export const Aliases = z
  .array(Slug)
  .max(MAX_ALIASES_PER_LINK, `must be at most ${MAX_ALIASES_PER_LINK} aliases`)
  .openapi({
    description:
      "The aliases that the link keeps; all others are removed. A new one cannot be given: an update of `slug` makes the former slug an alias.",
    example: [],
  });

export const Domain = z
  .string()
  .min(1)
  .max(MAX_HOST_CHARS)
  .refine(isTypeable, "must not contain control characters or broken Unicode")
  .openapi({ description: "The service's own domain, or a verified domain of the account.", example: "go.example" });

const utmValue = () => lineOfText(MAX_UTM_CHARS).optional();

export const Utm = z
  .strictObject({
    source: utmValue(),
    medium: utmValue(),
    campaign: utmValue(),
    term: utmValue(),
    content: utmValue(),
  })
  .refine((utm) => Object.values(utm).some((value) => value !== undefined), "needs at least one parameter")
  .openapi("Utm", {
    minProperties: 1,
    description:
      "Set in the query of `url` as `utm_source` and so on, and replaces present values. Other destinations keep their queries.",
    example: { source: "newsletter", medium: "email" },
  });
export type Utm = z.infer<typeof Utm>;

export const RedirectStatus = z
  .union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)], { error: "must be 301, 302, 307 or 308" })
  .openapi({
    type: "integer",
    enum: [301, 302, 307, 308],
    description: "Browsers may cache 301 and 308, and then visits are neither counted nor redirected anew.",
    example: 302,
  });

const Tags = z
  .array(lineOfText(MAX_TAG_CHARS))
  .max(MAX_TAGS_PER_LINK, `must be at most ${MAX_TAGS_PER_LINK} tags`)
  .transform((tags) => [...new Set(tags)]);

const MaxClicks = z.number().int("must be a whole number").min(1, "must be at least 1").max(MAX_MAX_CLICKS);

const Password = z
  .string()
  .transform(normalisePassword)
  .refine((password) => {
    const { length } = Array.from(password);
    return length >= MIN_PASSWORD_CHARS && length <= MAX_PASSWORD_CHARS;
  }, `must have ${MIN_PASSWORD_CHARS} to ${MAX_PASSWORD_CHARS} characters`)
  .refine(isTypeable, "must not contain control characters or broken Unicode")
  .openapi({
    type: "string",
    format: "password",
    writeOnly: true,
    minLength: MIN_PASSWORD_CHARS,
    maxLength: MAX_PASSWORD_CHARS,
    description: "Visitors must enter it. Responses only tell whether there is one (`hasPassword`).",
    example: "tern in the wind",
  });

/** A web address or an address of an app. */
const AppTarget = z
  .string()
  .max(MAX_URL_CHARS, `must have at most ${MAX_URL_CHARS} characters`)
  .superRefine((url, context) => {
    const message = appTargetError(withSchemeOrApp(url));
    if (message !== null) context.addIssue({ code: "custom", message });
  })
  .transform(withSchemeOrApp)
  .openapi({ example: "acme://spring" });

const CountryInAnyCase = z
  .string()
  .refine((country) => isCountry(country.toUpperCase()), "must be a country (ISO 3166-1), such as DE or GB");

const Country = CountryInAnyCase.transform((country) => country.toUpperCase()).openapi({
  pattern: "^[A-Za-z]{2}$",
  example: "DE",
});

const CountryRecord = z.record(CountryInAnyCase, Destination);

export const Geo = z
  .preprocess(refuseProto, CountryRecord)
  .refine((geo) => Object.keys(geo).length <= MAX_GEO_TARGETS, `must name at most ${MAX_GEO_TARGETS} countries`)
  .refine((geo) => new Set(inUpperCase(geo).map(([country]) => country)).size === Object.keys(geo).length, {
    error: "must name each country once",
  })
  .transform((geo) => Object.fromEntries(inUpperCase(geo).sort(([a], [b]) => (a < b ? -1 : 1))))
  .openapi({ example: { DE: "https://example.com/de" } });

/** Zod drops this property without an error. */
function refuseProto(geo: unknown, context: z.core.$RefinementCtx): unknown {
  if (Object.hasOwn(Object(geo) as object, "__proto__"))
    context.addIssue({
      code: "custom",
      path: ["__proto__"],
      message: "must be a country (ISO 3166-1), such as DE or GB",
    });
  return geo;
}

function inUpperCase(geo: Record<string, string>): [country: string, url: string][] {
  return Object.entries(geo).map(([country, url]) => [country.toUpperCase(), url]);
}

/** A list whose duplicates are dropped. */
const anyOf = <T extends z.ZodType>(value: T) =>
  z
    .array(value)
    .min(1, "must not be empty")
    .max(MAX_RULE_VALUES, `must be at most ${MAX_RULE_VALUES} values`)
    .transform((values) => [...new Set(values)]);

const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

const Region = z
  .string()
  .transform((region) => region.toUpperCase())
  .refine((region) => REGION.test(region) && isCountry(region.slice(0, 2)), {
    error: "must be a region (ISO 3166-2), such as US-CA",
  })
  .openapi({ pattern: "^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$", example: "US-CA" });

const Language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, "must be a language (BCP 47), such as de or pt-BR")
  .transform((language) => canonicalLanguage(language) ?? language)
  .refine((language) => canonicalLanguage(language) !== null, "must be a language (BCP 47), such as de or pt-BR")
  .openapi({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$", example: "pt-BR" });

const ReferrerHost = z
  .string()
  .transform((host) => canonicalHost(host) ?? "")
  .refine(
    (host) => host !== "",
    "must be a host name without anything else, such as example.com; it includes its subdomains",
  )
  .openapi({ example: "news.example" });

/** A rule matches if all of its conditions hold. A list holds if one of its values does. */
const conditions = {
  countries: anyOf(Country).optional(),
  regions: anyOf(Region).optional(),
  languages: anyOf(Language)
    .optional()
    .openapi({ description: "The visitor's first language. `de` includes `de-AT`." }),
  devices: anyOf(z.enum(DEVICES)).optional(),
  os: anyOf(z.enum(SYSTEMS)).optional(),
  referrers: anyOf(ReferrerHost).optional().openapi({ description: "Hosts; each includes its subdomains." }),
  startsAt: StartTimeInput.optional(),
  endsAt: EndTimeInput.optional().openapi({ description: "Exclusive." }),
  percentage: z
    .number()
    .gt(0, "must be more than 0")
    .lt(100, "must be less than 100; leave it out for all visitors")
    .optional()
    .openapi({
      description:
        "The share of the visitors that reach this rule. A visitor is recognised by IP address and user agent, without a cookie, and always has the same result.",
    }),
};

export const Rule = z
  .strictObject({ ...conditions, url: Destination })
  .refine((rule) => Object.values(rule).filter((value) => value !== undefined).length > 1, {
    error: "needs at least one condition",
  })
  .refine(({ startsAt = 0, endsAt = Infinity }) => startsAt < endsAt, {
    error: "must end after it starts",
    path: ["endsAt"],
  })
  .openapi("Rule", { example: { countries: ["DE", "AT"], devices: ["mobile"], url: "https://example.com/de" } });
export type Rule = z.infer<typeof Rule>;

const Rules = z.array(Rule).max(MAX_RULES_PER_LINK, `must be at most ${MAX_RULES_PER_LINK} rules`);

export const Preview = z
  .strictObject({
    title: lineOfText(MAX_TITLE_CHARS).nullable().default(null),
    description: lineOfText(MAX_PREVIEW_DESCRIPTION_CHARS).nullable().default(null),
    image: Destination.nullable().default(null).openapi({ description: "The URL of an image." }),
  })
  .refine(
    (preview) => Object.values(preview).some((value) => value !== null),
    "needs a title, a description or an image",
  )
  .openapi("Preview");

const APP_TARGET =
  "A web address, or an address with the scheme of an app or a store. A web address opens the app if the app has claimed it. For an app's scheme, browsers get a page that opens the app, and that continues to the web destination if the app is not installed.";

export const settings = {
  title: lineOfText(MAX_TITLE_CHARS).nullish(),
  tags: Tags.nullish(),
  disabled: z.boolean().nullish().openapi({
    description:
      "Ends the link: visitors get its `expiredUrl`, or a 410. Its clicks are kept, and `false` lets it redirect again. Default: false.",
  }),
  archived: z
    .boolean()
    .nullish()
    .openapi({ description: "Hides the link from lists. It still redirects. Default: false." }),
  expiresAt: LastTimeInput.refine((time) => !(time < MIN_EXPIRES_AT), "must be after 2001; a number is in milliseconds")
    .nullish()
    .openapi({ description: "When the link ends. A time that has passed ends it at once." }),
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
  redirectStatus: RedirectStatus.nullish(),
  password: Password.nullish(),
  rules: Rules.nullish().openapi({
    description:
      "The first rule that matches a visitor gives the destination. If none matches, `ios`, `android`, `geo` and `url` are tried, in this order. Browsers never cache the redirects of a link with any of these.",
  }),
  ios: AppTarget.nullish().openapi({ description: `The destination on iPhones and iPads. ${APP_TARGET}` }),
  android: AppTarget.nullish().openapi({ description: `The destination on Android. ${APP_TARGET}` }),
  geo: Geo.nullish().openapi({ description: "Destinations by country." }),
  preview: Preview.nullish().openapi({ description: "What social networks show for the link." }),
};
