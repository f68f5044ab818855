import { createRoute, z } from "@hono/zod-openapi";
import { operation, sessionOnly } from "../../../platform/http/contract.ts";
import { Id, IdInput } from "../../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../../platform/http/pagination.ts";
import { lineOfText, Timestamp } from "../../../platform/http/validation.ts";
import { MIN_SEARCH_CHARS } from "../../../links/limits.ts";
import { Verdict } from "../../../links/verdict-contract.ts";
import { forOthers } from "../../takedowns/contract.ts";
import {
  MAX_FOUND_PERSONS,
  MAX_GROUPED_LINKS,
  MAX_OPERATOR_SEARCH_CHARS,
  MAX_SHOWN_OWNERS,
  SEARCHED_LINKS,
} from "../../limits.ts";
import { because } from "../../../platform/http/faults.ts";

/** What operators look for in the whole installation. */

const TakedownId = Id.nullable().openapi({ description: "Its takedown in force; null: none." });

export const FoundAccount = z
  .object({
    id: Id,
    name: z.string().openapi({ description: "The name of the account." }),
    kind: z.enum(["personal", "team"]).openapi({ description: "Whose account it is." }),
    owners: z.array(z.string()).openapi({
      description: `The addresses of owners, at most ${MAX_SHOWN_OWNERS}; none if nobody signs in for it.`,
    }),
    invited: z.string().nullable().openapi({
      description: "The address whose invitation as an owner is pending; null: none. Of several, the newest.",
    }),
    links: z.int().openapi({ description: "How many links it has." }),
    isTrusted: z.boolean().openapi({ description: "Whether its links redirect as any others." }),
    createdAt: Timestamp.openapi({ description: "When it was made, in Unix milliseconds." }),
    disabledAt: Timestamp.nullable().openapi({ description: "When its keys were disabled; null: they work." }),
    deletedAt: Timestamp.nullable().openapi({ description: "When it was deleted; null: it is not." }),
    takedownId: TakedownId,
  })
  .openapi("FoundAccount", {
    description: "An account, as operators see it.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      name: "Ann Lee",
      kind: "personal",
      owners: ["ann@example.com"],
      invited: null,
      links: 12,
      isTrusted: true,
      createdAt: 1_790_000_000_000,
      disabledAt: null,
      deletedAt: null,
      takedownId: null,
    },
  });
export type FoundAccount = z.infer<typeof FoundAccount>;

const FoundLink = z
  .object({
    id: Id,
    shortUrl: z.string().openapi({ format: "uri", description: "The short URL." }),
    destination: z.string().openapi({ format: "iri", description: "Where it leads, also behind a password." }),
    title: z.string().nullable().openapi({ description: "The title; null: none." }),
    hasPassword: z.boolean().openapi({ description: "Whether visitors need a password." }),
    accountId: z.string().nullable().openapi({ description: "The id of its account; null: it has none." }),
    verdict: Verdict,
    clicks: z.int().openapi({ description: "Its clicks, as of the last time its owner listed links." }),
    createdAt: Timestamp.openapi({ description: "When it was made, in Unix milliseconds." }),
  })
  .openapi("FoundLink", {
    description: "A link of any account or of none, as operators see it.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      shortUrl: "https://go.example/spring",
      destination: "https://bank.example/",
      title: null,
      hasPassword: true,
      accountId: null,
      verdict: { state: "allowed", reason: null, since: null },
      clicks: 0,
      createdAt: 1_790_000_000_000,
    },
  });
export type FoundLink = z.infer<typeof FoundLink>;

const FoundHost = z
  .object({
    host: z.string().openapi({ description: "The host of destinations, in lower case and Punycode." }),
    links: z.int().openapi({ description: "The links of the page that lead there." }),
    accounts: z.int().openapi({ description: "How many accounts have these links." }),
    linksWithoutAccount: z.int().openapi({ description: "How many of them have no account." }),
    newestAt: Timestamp.openapi({ description: "When the newest of them was made, in Unix milliseconds." }),
    takedownId: Id.nullable().openapi({
      description: "The takedown in force of it or of a domain above it; null: none.",
    }),
  })
  .openapi("FoundHost", {
    description: "A host to which links lead.",
    example: {
      host: "bank.example",
      links: 3,
      accounts: 1,
      linksWithoutAccount: 2,
      newestAt: 1_790_000_000_000,
      takedownId: null,
    },
  });
export type FoundHost = z.infer<typeof FoundHost>;

const search = (description: string) =>
  lineOfText(MAX_OPERATOR_SEARCH_CHARS)
    .refine((text) => text.length >= MIN_SEARCH_CHARS, because("too_short", { min: MIN_SEARCH_CHARS }))
    .optional()
    .openapi({ description });
const PIECE = `A page looks at up to ${SEARCHED_LINKS} links. It can be empty while \`nextCursor\` is not null.`;

export const listFoundAccounts = createRoute({
  ...operation("get", "/api/admin/accounts", "Administration", "List found accounts"),
  ...sessionOnly,
  description: `Newest first. A search finds the accounts of up to ${MAX_FOUND_PERSONS} persons.`,
  request: {
    query: z.strictObject({ search: search("An id, or the start of a person's address."), ...pageQuery }),
  },
  responses: {
    200: pageOf("accounts", FoundAccount, "The accounts of the page.", "A page of accounts."),
    ...forOthers,
  },
});

export const listFoundLinks = createRoute({
  ...operation("get", "/api/admin/links", "Administration", "List found links"),
  ...sessionOnly,
  description: `Newest first. ${PIECE}`,
  request: {
    query: z.strictObject({
      search: search("An id, a short URL, or a text in the slug, the title or a destination."),
      accountId: IdInput.optional().openapi({ description: "Only links of this account." }),
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
    }),
  },
  responses: { 200: pageOf("links", FoundLink, "The links of the page.", "A page of links."), ...forOthers },
});

export const listFoundHosts = createRoute({
  ...operation("get", "/api/admin/hosts", "Administration", "List found hosts"),
  ...sessionOnly,
  description: `Hosts of destinations, of the newest links first: those with most links of the page at its top. ${PIECE} It groups up to ${MAX_GROUPED_LINKS} links.`,
  request: { query: z.strictObject({ search: search("A part of the host."), cursor: pageQuery.cursor }) },
  responses: { 200: pageOf("hosts", FoundHost, "The hosts of the page.", "A page of hosts."), ...forOthers },
});
