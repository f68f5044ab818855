import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, preconditionResponse, Success } from "../platform/http/contract.ts";
import { eTagHeader, ifMatchHeaders } from "../platform/http/if-match.ts";
import { COOKIE_HEADER, errorRef } from "../platform/http/openapi-components.ts";
import { idempotencyHeaders } from "../platform/idempotency/header.ts";
import { hasChange, Timestamp } from "../platform/http/validation.ts";
import { Id, idParams } from "../platform/http/id.ts";
import { DELETED_LINK_KEPT_MS, PASSWORD_ATTACK_GUESSES, MAX_URL_CHARS } from "../limits.ts";
import { Aliases, Domain, Preview, RedirectStatus, settings, Slug, Utm } from "./fields.ts";
import { Destination, Geo, Rule } from "./target-fields.ts";
import { ANONYMOUS_LINK_TTL_MS, RANDOM_SLUG_CHARS } from "./limits.ts";
import { LinkCreator } from "./creator-contract.ts";
import { Verdict, Visitors } from "./verdict-contract.ts";
import { VISITED_DESTINATION_EXAMPLE, VisitedDestination } from "./destination-contract.ts";
import { because } from "../platform/http/faults.ts";

export const LINK_EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  url: "https://example.com/spring?ref=poster",
  slug: "Spring-26",
  domain: "go.example",
  shortUrl: "https://go.example/Spring-26",
  title: "Spring sale",
  tags: ["sale"],
  status: "active",
  disabled: false,
  archived: false,
  aliases: [],
  startsAt: null,
  expiresAt: null,
  expiredUrl: null,
  maxClicks: null,
  hasPassword: false,
  passwordAttackedAt: null,
  ios: null,
  android: null,
  geo: {},
  rules: [],
  preview: null,
  redirectStatus: 302,
  passParameters: true,
  externalId: null,
  clicks: 1_024,
  importedClicks: 0,
  lastClickedAt: 1_790_000_100_000,
  createdBy: { type: "user" as const, id: "01920b5c-7d6a-7c3e-9b1f-1a2b3c4d5e6f" },
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  verdict: { state: "allowed" as const, reason: null, since: null },
  visitors: "redirect" as const,
  destination: VISITED_DESTINATION_EXAMPLE,
};

const urlOrNull = (description: string) => z.string().nullable().openapi({ format: "iri", description });

export const Link = z
  .object({
    id: Id,
    url: z.string().openapi({ format: "iri", description: "The destination." }),
    slug: z.string().openapi({ description: "The path of the short URL, as it was written." }),
    domain: z.string().openapi({ description: "The host of the short URL." }),
    shortUrl: z.string().openapi({ format: "uri", description: "The address that redirects to the destination." }),
    title: z.string().nullable().openapi({ description: "A name for people; null without one." }),
    tags: z.array(z.string()).openapi({ description: "Labels, by which links can be listed." }),
    status: z.enum(["active", "scheduled", "expired", "disabled"]).openapi({
      description:
        "Whether the link redirects to its destination. `scheduled`: not before `startsAt`. `disabled` comes before the others.",
    }),
    disabled: z.boolean().openapi({ description: "Whether the link is ended until it is enabled again." }),
    archived: z.boolean().openapi({ description: "Whether lists leave the link out." }),
    aliases: z.array(z.string()).openapi({ description: "Former slugs, the oldest first. They lead here as well." }),
    startsAt: Timestamp.nullable().openapi({
      description: "When the link begins to redirect, in Unix milliseconds; null: at once.",
    }),
    expiresAt: Timestamp.nullable().openapi({
      description: "When the link expires, in Unix milliseconds; null: never.",
    }),
    expiredUrl: urlOrNull("The destination after the expiry; null: a 410."),
    maxClicks: z
      .number()
      .int()
      .nullable()
      .openapi({ description: "The visits after which the link expires; null: no limit." }),
    hasPassword: z.boolean().openapi({ description: "Whether visitors must enter a password." }),
    passwordAttackedAt: Timestamp.nullable().openapi({
      description: `When more than ${PASSWORD_ATTACK_GUESSES} wrong guesses at the password in a minute were last noticed, in Unix milliseconds; null: never. Set at most once an hour.`,
    }),
    ios: urlOrNull("The destination on iPhones and iPads; null: as for all others."),
    android: urlOrNull("The destination on Android; null: as for all others."),
    geo: Geo,
    rules: z.array(Rule).openapi({ description: "The first rule that matches a visitor gives the destination." }),
    preview: Preview.nullable(),
    redirectStatus: RedirectStatus,
    passParameters: z.boolean().openapi({ description: "Whether destinations get the visitor's query parameters." }),
    externalId: z.string().nullable().openapi({ description: "Your own id of the link; null without one." }),
    clicks: z.number().int().openapi({ description: "All clicks so far. Crawlers are not counted." }),
    importedClicks: z.number().int().openapi({
      description: "Clicks of another service before the import. Only the order of lists by `clicks` includes them.",
    }),
    lastClickedAt: Timestamp.nullable().openapi({ description: "The time of the newest click, in Unix milliseconds." }),
    createdBy: LinkCreator.nullable(),
    createdAt: Timestamp.openapi({ description: "When the link was created, in Unix milliseconds." }),
    updatedAt: Timestamp.openapi({ description: "When the settings of the link last changed, in Unix milliseconds." }),
    verdict: Verdict,
    visitors: Visitors,
    destination: VisitedDestination.nullable(),
  })
  .openapi("Link", {
    description: "A short link.",
    example: LINK_EXAMPLE,
  });
export type Link = z.infer<typeof Link>;

// Requests

export const CreateLink = z
  .strictObject({
    url: Destination,
    slug: Slug.optional().openapi({ description: `Default: ${RANDOM_SLUG_CHARS} random characters.` }),
    domain: Domain.optional(),
    utm: Utm.optional(),
    ...settings,
  })
  .openapi("CreateLink", {
    description: "A new link. Without `redirectStatus` it redirects with 302.",
    example: { url: "https://example.com/spring?ref=poster", slug: "Spring-26", tags: ["sale"] },
  });
export type CreateLink = z.infer<typeof CreateLink>;

const UpdateLink = z
  .strictObject({
    url: Destination.optional(),
    slug: Slug.optional(),
    aliases: Aliases.optional(),
    domain: Domain.optional(),
    utm: Utm.optional(),
    ...settings,
  })
  .refine(hasChange, because("nothing_given"))
  .openapi("UpdateLink", {
    description: "The changed fields of a link; null clears a field.",
    minProperties: 1,
    example: { url: "https://example.com/summer", expiresAt: null },
  });
export type UpdateLink = z.infer<typeof UpdateLink>;

const UpsertLink = z
  .strictObject(CreateLink.shape)
  .refine(({ externalId, slug }) => externalId != null || slug !== undefined, {
    error: because("required_without", { field: "slug" }),
    path: ["externalId"],
  })
  .openapi("UpsertLink", {
    description: "A link that is updated if it exists. `externalId` or `slug` identifies it.",
    example: { url: "https://example.com/products/17", externalId: "product-17" },
  });
export type UpsertLink = z.infer<typeof UpsertLink>;

const Shorten = z
  .strictObject({ url: Destination, slug: Slug.optional().openapi({ description: "Only with an API key." }) })
  .openapi("Shorten", { description: "A URL to shorten.", example: { url: "https://example.com/a/long/path" } });

const params = idParams("link");

// Routes

const oneLink = (description: string) => ({ ...json(z.object({ link: Link }), description), ...eTagHeader });

export const createLink = createRoute({
  ...operation("post", "/api/links", "Links", "Create link"),
  request: { ...jsonBody(CreateLink), headers: idempotencyHeaders },
  responses: {
    201: oneLink("The link."),
    ...conflicting("The slug or the externalId is taken, or the Idempotency-Key was used for another request."),
  },
});

export const getLink = createRoute({
  ...operation("get", "/api/links/{id}", "Links", "Get link"),
  request: { params },
  responses: { 200: oneLink("The link.") },
});

export const updateLink = createRoute({
  ...operation("patch", "/api/links/{id}", "Links", "Update link"),
  description:
    "Changes only the given fields; null clears a field. Visitors see the change within 35 seconds, plus the lag of a database replica. Browsers may repeat a 301 or 308 for a day.",
  request: { params, ...jsonBody(UpdateLink), headers: ifMatchHeaders },
  responses: {
    200: oneLink("The link after the change."),
    ...conflicting("The slug or the externalId is taken."),
    ...preconditionResponse,
  },
});

export const upsertLink = createRoute({
  ...operation("put", "/api/links/upsert", "Links", "Upsert link"),
  description:
    "Updates the account's link with this `externalId`. Without `externalId`, updates the link with this `domain` and `slug`. Creates the link if it does not exist. An update changes only the given fields.",
  request: { ...jsonBody(UpsertLink), headers: idempotencyHeaders },
  responses: {
    200: oneLink("The link, updated."),
    201: oneLink("The link, created."),
    ...conflicting("The slug belongs to another link, or the Idempotency-Key was used for another request."),
  },
});

export const deleteLink = createRoute({
  ...operation("delete", "/api/links/{id}", "Links", "Delete link"),
  request: { params, headers: ifMatchHeaders },
  description: `Visitors get a 404 within 35 seconds, plus the lag of a database replica. For ${DELETED_LINK_KEPT_MS / 86_400_000} days the link can be restored, its clicks are kept, and its slug is reserved for the account.`,
  responses: {
    200: json(Success, "The link is deleted."),
    ...conflicting("Other requests kept changing the link."),
    ...preconditionResponse,
  },
});

export const restoreLink = createRoute({
  ...operation("post", "/api/links/{id}/restore", "Links", "Restore link"),
  description: `Brings a deleted link back, with its clicks, within ${DELETED_LINK_KEPT_MS / 86_400_000} days after its deletion. Emits \`link.create\`. A link that is not deleted is returned as it is.`,
  request: { params },
  responses: {
    200: oneLink("The link."),
    ...conflicting("The account has used the slug or the externalId for another link."),
  },
});

export const shorten = createRoute({
  ...operation("post", "/api/shorten", "Links", "Quick shorten"),
  description: `With an API key, the link belongs to the account. Without one, the link is anonymous and expires after ${ANONYMOUS_LINK_TTL_MS / 86_400_000} days, and where \`visitors\` of the answer is \`preview\`, its short URL answers 200 with a page that shows the destination. Pages of this service get a cookie with which a person can claim it after signing in.`,
  request: { ...jsonBody(Shorten), headers: idempotencyHeaders },
  responses: {
    201: {
      ...json(
        z.object({
          shortUrl: z.string().openapi({
            format: "uri",
            description: "The `shortUrl` of the link.",
            example: "https://go.example/Spring-26",
          }),
          link: Link,
        }),
        "The link.",
      ),
      headers: { ...eTagHeader.headers, ...COOKIE_HEADER },
    },
    ...conflicting("The slug is taken, or the Idempotency-Key was used for another request."),
  },
});

const byUrlQuery = z.strictObject({
  url: z.string().trim().min(1).max(MAX_URL_CHARS).openapi({
    description:
      "The short URL as people write it: with or without `https://`, in any case that its domain allows, with an alias in place of the slug, with a query, a trailing slash or a trailing `+`.",
    example: "https://go.example/Spring-26",
  }),
});

export const getLinkByUrl = createRoute({
  ...operation("get", "/api/links/by-url", "Links", "Get link by URL"),
  description:
    "The link of the account to which the short URL leads. Short URLs of others are a 404, as those that nobody has.",
  request: { query: byUrlQuery },
  responses: { 200: oneLink("The link."), 404: errorRef(404) },
});
