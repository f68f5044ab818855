import { z } from "@hono/zod-openapi";
import { EndTimeInput, StartTimeInput, Timestamp } from "../platform/http/validation.ts";
import { MAX_HOST_CHARS, MAX_URL_CHARS } from "../limits.ts";
import { DEVICES, SYSTEMS } from "../platform/visitor/kinds.ts";
import { appTargetError, destinationError, withScheme, withSchemeOrApp, withSlashes } from "./destination-url.ts";
import { canonicalHost, canonicalLanguage, isCountry } from "./normalize.ts";
import { assignRuleIds } from "./rule-ids.ts";
import { MAX_GEO_TARGETS, MAX_RULE_VALUES, MAX_RULES_PER_LINK } from "./limits.ts";
import { because, type Because } from "../platform/http/faults.ts";

/** The fields of destinations and targets in requests. */

/** An address, with the scheme that `complete` adds. */
function address(complete: (url: string) => string, errorOf: (url: string) => Because | null) {
  return z
    .string()
    .max(MAX_URL_CHARS)
    .superRefine((url, context) => {
      const message = errorOf(complete(url));
      if (message !== null) context.addIssue({ code: "custom", message });
    })
    .transform((url) => withSlashes(complete(url)));
}

export const Destination = address(withScheme, destinationError).openapi({
  format: "iri-reference",
  description: "An http or https URL. Without a scheme, such as `example.com/spring`, it gets https.",
  example: "https://example.com/spring?ref=poster",
});

/** A web address or an address of an app. */
export const AppTarget = address(withSchemeOrApp, appTargetError).openapi({ example: "acme://spring" });

const CountryInAnyCase = z.string().refine((country) => isCountry(country.toUpperCase()), because("not_a_country"));

const Country = CountryInAnyCase.transform((country) => country.toUpperCase()).openapi({
  pattern: "^[A-Za-z]{2}$",
  example: "DE",
});

const CountryRecord = z.record(CountryInAnyCase, Destination);

export const Geo = z
  .preprocess(refuseProto, CountryRecord)
  .refine((geo) => Object.keys(geo).length <= MAX_GEO_TARGETS, because("too_many", { max: MAX_GEO_TARGETS }))
  .refine((geo) => new Set(inUpperCase(geo).map(([country]) => country)).size === Object.keys(geo).length, {
    error: because("repeated_country"),
  })
  .transform((geo) => Object.fromEntries(inUpperCase(geo).sort(([a], [b]) => (a < b ? -1 : 1))))
  .openapi({ description: "Destinations by country (ISO 3166-1).", example: { DE: "https://example.com/de" } });

/** Zod drops this property without an error. */
function refuseProto(geo: unknown, context: z.core.$RefinementCtx): unknown {
  if (Object.hasOwn(Object(geo) as object, "__proto__"))
    context.addIssue({
      code: "custom",
      path: ["__proto__"],
      message: because("not_a_country"),
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
    .min(1)
    .max(MAX_RULE_VALUES)
    .transform((values) => [...new Set(values)]);

const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;

const Region = z
  .string()
  .transform((region) => region.toUpperCase())
  .refine((region) => REGION.test(region) && isCountry(region.slice(0, 2)), {
    error: because("not_a_region"),
  })
  .openapi({ pattern: "^[A-Za-z]{2}-[A-Za-z0-9]{1,3}$", example: "US-CA" });

const NO_LANGUAGE = because("not_a_language");

const Language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, NO_LANGUAGE)
  // Not a refinement and a transformation: the runtime needs most of the time of a validation for this conversion.
  .transform((language, context) => {
    const canonical = canonicalLanguage(language);
    if (canonical === null) context.addIssue({ code: "custom", message: NO_LANGUAGE });
    return canonical ?? z.NEVER;
  })
  .openapi({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$", example: "pt-BR" });

const ReferrerHost = z
  .string()
  .max(MAX_HOST_CHARS)
  .transform((host) => canonicalHost(host) ?? "")
  .refine((host) => host !== "", because("not_a_host"))
  .openapi({ example: "news.example" });

/** A rule matches if all of its conditions hold. A list holds if one of its values does. */
const conditions = {
  countries: anyOf(Country).optional().openapi({ description: "Countries (ISO 3166-1) that the visitor may be in." }),
  regions: anyOf(Region).optional().openapi({ description: "Regions (ISO 3166-2) that the visitor may be in." }),
  languages: anyOf(Language)
    .optional()
    .openapi({ description: "The visitor's first language. `de` includes `de-AT`." }),
  devices: anyOf(z.enum(DEVICES)).optional().openapi({ description: "Kinds of device." }),
  os: anyOf(z.enum(SYSTEMS)).optional().openapi({ description: "Operating systems." }),
  referrers: anyOf(ReferrerHost).optional().openapi({ description: "Hosts; each includes its subdomains." }),
  startsAt: StartTimeInput.optional().openapi({ description: "The rule matches from this time on." }),
  endsAt: EndTimeInput.optional().openapi({ description: "The rule matches until this time, exclusive." }),
  percentage: z
    .number()
    .gt(0, because("not_more_than", { min: 0 }))
    .lt(100, because("everybody"))
    .optional()
    .openapi({
      description:
        "The share of the visitors that reach this rule. A visitor is recognised by IP address and user agent, without a cookie, and always has the same result.",
    }),
};

const CONDITIONS = Object.keys(conditions) as (keyof typeof conditions)[];

const ruleId = z
  .uuid(because("not_an_id", { resource: "rule" }))
  .toLowerCase()
  .openapi({ example: "7d1f5c0e-52f3-5a7c-8a55-3f1f0f6a2b11" });
const RULE_EXAMPLE = { countries: ["DE", "AT"], devices: ["mobile"], url: "https://example.com/de" };
const ruleFields = { ...conditions, url: Destination.openapi({ description: "Where the rule leads." }) };

/** A rule in a response. */
export const Rule = z
  .object({
    id: ruleId.openapi({ description: "Clicks have it as `target.ruleId`." }),
    ...ruleFields,
    startsAt: Timestamp.optional().openapi({ description: "The rule matches from this time on." }),
    endsAt: Timestamp.optional().openapi({ description: "The rule matches until this time, exclusive." }),
  })
  .openapi("Rule", {
    description: "A destination for some visitors. All of its conditions must hold.",
    example: { id: "7d1f5c0e-52f3-5a7c-8a55-3f1f0f6a2b11", ...RULE_EXAMPLE },
  });

const RuleInput = z
  .strictObject({
    id: ruleId.optional().openapi({
      description:
        "The id that the rule has in the link; with it, a changed rule stays the same rule. Without it, a rule gets an id that depends on its `url` and its conditions other than `percentage`, `startsAt` and `endsAt`.",
    }),
    ...ruleFields,
  })
  .refine((rule) => CONDITIONS.some((name) => rule[name] !== undefined), {
    error: because("no_condition"),
  })
  // Of a text that is no time, which has its own fault, there is a NaN.
  .refine(({ startsAt = 0, endsAt = Infinity }) => !(startsAt >= endsAt), {
    error: because("not_after", { field: "startsAt" }),
    path: ["endsAt"],
  })
  .openapi("RuleInput", {
    description: "A destination for some visitors. All of its conditions must hold.",
    example: RULE_EXAMPLE,
  });

export const Rules = z
  .array(RuleInput)
  .max(MAX_RULES_PER_LINK)
  .superRefine((rules, context) => {
    for (const [index, { id }] of rules.entries()) {
      if (id !== undefined && rules.findIndex((rule) => rule.id === id) < index)
        context.addIssue({ code: "custom", path: [index, "id"], message: because("repeated") });
    }
  })
  .transform(assignRuleIds);
