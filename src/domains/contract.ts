import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, Success } from "../platform/http/contract.ts";
import { ErrorBody } from "../platform/http/error-body.ts";
import { RETRY_HEADER } from "../platform/http/openapi-components.ts";
import { idempotencyHeaders } from "../platform/idempotency/header.ts";
import { pageOf, pageQuery } from "../platform/http/pagination.ts";
import { hasChange, Timestamp } from "../platform/http/validation.ts";
import { Id, idParams } from "../platform/http/id.ts";
import { DAY_MS, MAX_DOMAINS_PER_ACCOUNT, MAX_HOST_CHARS } from "../limits.ts";
import { Destination } from "../links/target-fields.ts";
import { AppleAppSiteAssociation, AssetLinks } from "./app-association.ts";
import { BRAND_COLOR, BRAND_LOGO, BRAND_NAME, BrandColor, BrandLogo, BrandName } from "./brand.ts";
import { parseName } from "./name.ts";
import { LOST_DOMAIN_GRACE_MS, MAX_DOMAIN_INPUT_CHARS, MAX_SEEN_RECORD_CHARS, MAX_SEEN_RECORDS } from "./limits.ts";
import { because } from "../platform/http/faults.ts";

const GRACE_DAYS = LOST_DOMAIN_GRACE_MS / DAY_MS;

const Found = z
  .boolean()
  .nullable()
  .openapi({ description: "Whether the last check found the record; null before the first check." });

const DnsRecord = z.object({
  type: z.enum(["TXT", "CNAME"]).openapi({
    description:
      "The TXT record proves that you own the domain. The CNAME record sends its visitors to the service; a domain that cannot have a CNAME may have the service's IP addresses instead.",
  }),
  name: z.string().openapi({ description: "The name of the record." }),
  value: z.string().openapi({ description: "The value of the record." }),
  found: Found,
});

const Certificate = z.object({
  type: z.literal("certificate").openapi({ description: "The certificate for HTTPS, which Cloudflare issues." }),
  name: z.string().openapi({ description: "The name that the certificate is for." }),
  status: z.string().openapi({ description: "Cloudflare's status, such as `active` or `pending_validation`." }),
  error: z.string().nullable().openapi({ description: "Why Cloudflare could not issue the certificate." }),
  found: Found,
});

const DomainRecord = z.discriminatedUnion("type", [DnsRecord, Certificate]).openapi("DomainRecord", {
  description: "A record that the domain needs before its links work.",
  example: { type: "CNAME", name: "go.xn--bcher-kva.acme.com", value: "go.example", found: null },
});

const CASE_SENSITIVE =
  "Whether slugs that differ only in case are different links. It can be changed while the account has no links at the domain, and no deleted ones that can be restored.";

const PATH_FORWARDING =
  "Whether links hand on the path after their slug: `/docs/a` leads to the destination of `docs` with `/a` at the end of its path.";

const NESTED_SLUGS =
  "Whether slugs may have slashes, such as `docs/setup`. Excludes `pathForwarding`. Stays on while links have such slugs, or deleted ones that can be restored do.";

const EXAMPLE = {
  id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
  domain: "go.xn--bcher-kva.acme.com",
  unicodeDomain: "go.bücher.acme.com",
  status: "pending",
  caseSensitive: false,
  pathForwarding: false,
  nestedSlugs: false,
  records: [
    {
      type: "TXT",
      name: "_tern-challenge.go.xn--bcher-kva.acme.com",
      value: "tern-verification=0f0e0d0c0b0a09080706050403020100",
      found: null,
    },
    { type: "CNAME", name: "go.xn--bcher-kva.acme.com", value: "go.example", found: null },
  ],
  notFoundUrl: null,
  rootUrl: null,
  appleAppSiteAssociation: null,
  assetLinks: null,
  brandName: null,
  brandLogo: null,
  brandColor: null,
  createdAt: 1_790_000_000_000,
  verifiedAt: null,
  lostAt: null,
} as const;

export const Domain = z
  .object({
    id: Id,
    domain: z.string().openapi({ description: "In lower case. International names are in Punycode." }),
    unicodeDomain: z.string().openapi({ description: "The same name in Unicode." }),
    status: z.enum(["pending", "verified"]).openapi({ description: "Whether the ownership was proved." }),
    caseSensitive: z.boolean().openapi({ description: CASE_SENSITIVE }),
    pathForwarding: z.boolean().openapi({ description: PATH_FORWARDING }),
    nestedSlugs: z.boolean().openapi({ description: NESTED_SLUGS }),
    records: z.array(DomainRecord).openapi({ description: "What the domain needs before its links work." }),
    notFoundUrl: z
      .string()
      .nullable()
      .openapi({ format: "iri", description: "Where unknown short URLs redirect to; null: a 404." }),
    rootUrl: z
      .string()
      .nullable()
      .openapi({ format: "iri", description: "Where the root of the domain redirects to; null: a page." }),
    appleAppSiteAssociation: AppleAppSiteAssociation.nullable(),
    assetLinks: AssetLinks.nullable(),
    brandName: z.string().nullable().openapi({ description: BRAND_NAME }),
    brandLogo: z.string().nullable().openapi({ format: "uri", description: BRAND_LOGO }),
    brandColor: z.string().nullable().openapi({ description: BRAND_COLOR, example: "#0f5c6b" }),
    createdAt: Timestamp.openapi({ description: "When the domain was added, in Unix milliseconds." }),
    verifiedAt: Timestamp.nullable().openapi({ description: "When the ownership was proved; null before." }),
    lostAt: Timestamp.nullable().openapi({
      description: `Since when the TXT record is missing. After ${GRACE_DAYS} days without it the domain is pending again.`,
    }),
  })
  .openapi("Domain", { description: "A custom domain.", example: { ...EXAMPLE, records: [...EXAMPLE.records] } });
export type Domain = z.infer<typeof Domain>;

const seenValues = z.array(z.string()).max(MAX_SEEN_RECORDS);

const SeenRecords = z
  .object({
    TXT: seenValues.openapi({ description: "The texts of the TXT records at the name of that record." }),
    CNAME: seenValues.openapi({ description: "The targets of the domain's CNAMEs; without one, its addresses." }),
  })
  .openapi({
    description: `What the DNS has at the names of the records, at most ${MAX_SEEN_RECORDS} values each, cut to ${MAX_SEEN_RECORD_CHARS} characters. Shows what to correct.`,
    example: { TXT: [], CNAME: ["parking.example.net"] },
  });

// Requests

const DomainName = z
  .string()
  .max(MAX_DOMAIN_INPUT_CHARS, because("too_long", { max: MAX_HOST_CHARS }))
  .transform((text, context) => {
    const { domain, fault } = parseName(text);
    if (domain !== undefined) return domain;
    context.addIssue({ code: "custom", message: fault });
    return z.NEVER;
  })
  .openapi({
    type: "string",
    maxLength: MAX_DOMAIN_INPUT_CHARS,
    description: "The name of the domain, in Unicode or Punycode. `https://` and a slash at the end are ignored.",
    example: "go.bücher.acme.com",
  });

const AddDomain = z
  .strictObject({
    domain: DomainName,
    caseSensitive: z
      .boolean()
      .optional()
      .openapi({ description: `${CASE_SENSITIVE} By default they are not.` }),
  })
  .openapi("AddDomain", { description: "A domain to add.", example: { domain: "go.bücher.acme.com" } });

const UpdateDomain = z
  .strictObject({
    rootUrl: Destination.nullish().openapi({ description: "Where the domain's root redirects to." }),
    notFoundUrl: Destination.nullish().openapi({ description: "Where unknown short URLs of the domain redirect to." }),
    appleAppSiteAssociation: AppleAppSiteAssociation.nullish(),
    assetLinks: AssetLinks.nullish(),
    brandName: BrandName,
    brandLogo: BrandLogo,
    brandColor: BrandColor,
    caseSensitive: z.boolean().optional().openapi({ description: CASE_SENSITIVE }),
    pathForwarding: z.boolean().optional().openapi({ description: PATH_FORWARDING }),
    nestedSlugs: z.boolean().optional().openapi({ description: NESTED_SLUGS }),
  })
  .refine(hasChange, because("nothing_given"))
  .openapi("UpdateDomain", {
    description: "The changed fields of a domain.",
    minProperties: 1,
    example: { rootUrl: "https://acme.com/" },
  });
export type UpdateDomain = z.infer<typeof UpdateDomain>;

const params = idParams("domain");
const one = z.object({ domain: Domain });

// Routes

export const addDomain = createRoute({
  ...operation("post", "/api/domains/add", "Domains", "Add domain"),
  description: `Adding a domain does not reserve it: it belongs to the first account that verifies it. An account has at most ${MAX_DOMAINS_PER_ACCOUNT} domains.`,
  request: { ...jsonBody(AddDomain), headers: idempotencyHeaders },
  responses: {
    201: json(one, "The domain, with the DNS records to create."),
    ...conflicting(
      "The account already has this domain or the maximum number of domains, or deleted links that need the other `caseSensitive`, or the Idempotency-Key was used for another request.",
    ),
  },
});

export const listDomains = createRoute({
  ...operation("get", "/api/domains", "Domains", "List domains"),
  description: "Newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("domains", Domain, "The domains of the page.", "A page of domains.") },
});

export const getDomain = createRoute({
  ...operation("get", "/api/domains/{id}", "Domains", "Get domain"),
  request: { params },
  responses: { 200: json(one, "The domain.") },
});

export const verifyDomain = createRoute({
  ...operation("post", "/api/domains/{id}/verify", "Domains", "Verify domain"),
  description:
    "Looks up the DNS records. If the TXT record exists, the domain becomes verified and `domain.verified` is emitted.",
  request: { params },
  responses: {
    200: json(
      one.extend({
        verified: z.boolean().openapi({ description: "Whether the domain is verified." }),
        seen: SeenRecords,
      }),
      "The domain, with the result for each record.",
    ),
    ...conflicting("Another account has verified this domain."),
    503: { ...json(ErrorBody, "The DNS lookup failed. Nothing was changed."), headers: RETRY_HEADER },
  },
});

export const updateDomain = createRoute({
  ...operation("patch", "/api/domains/{id}", "Domains", "Update domain"),
  description: "Changes only the given fields. `null` clears a field.",
  request: { params, ...jsonBody(UpdateDomain) },
  responses: {
    200: json(one, "The domain after the change."),
    ...conflicting("Links of the domain prevent the change."),
  },
});

export const deleteDomain = createRoute({
  ...operation("delete", "/api/domains/{id}", "Domains", "Delete domain"),
  request: {
    params,
    query: z.strictObject({
      force: z.enum(["true", "false"]).optional().openapi({
        default: "false",
        description:
          "`true` also deletes the links of the domain, which stop working within 35 seconds. It also needs the permission `links:write`.",
      }),
    }),
  },
  responses: { 200: json(Success, "The domain is deleted."), ...conflicting("Links still use the domain.") },
});
