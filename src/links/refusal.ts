import { cleanDomainName } from "../platform/lib/domain-names.ts";
import {
  conflict,
  destinationBlocked,
  forbidden,
  invalidRequest,
  notFound,
  preconditionFailed,
  invalidField,
} from "../platform/http/errors.ts";
import { MAX_ALIASES_PER_LINK } from "../limits.ts";
import { toQuotaError, type ExceededQuota } from "../access/usage/quota.ts";
import { hostOf } from "../platform/lib/host-of.ts";
import type { UpdateLink } from "./contract.ts";
import type { LinkRow } from "./store/row.ts";
import { ENDS_BEFORE_START } from "./validate.ts";
import { fault, type Fault } from "../platform/http/faults.ts";

/** The result of an operation for one link. */
export type LinkOutcome = { ok: true; row: LinkRow } | RefusedChange;

export interface RefusedChange {
  ok: false;
  reason: keyof typeof ERRORS;
  error: Error;
}

interface RefusedLink {
  fields?: Pick<UpdateLink, "domain" | "externalId" | "expiresAt">;
  slug?: string | undefined;
  errors?: Fault[];
  quota?: ExceededQuota;
}

const ERRORS = {
  not_found: () => notFound("not_found", { resource: "link" }),
  forbidden: () => forbidden("of_another_account", { resource: "link" }),
  not_an_alias: () => invalidField("aliases", "not_an_alias"),
  too_many_aliases: () => conflict("too_many_aliases", { max: MAX_ALIASES_PER_LINK }),
  domain_has_aliases: () => conflict("aliases_of_domain"),
  ends_before_start: ({ fields }) =>
    invalidRequest([
      fields?.expiresAt == null ? fault("startsAt", "not_before", { field: "expiresAt" }) : ENDS_BEFORE_START,
    ]),
  invalid: ({ errors = [] }) => invalidRequest(errors),
  destination_blocked: ({ errors = [] }) => destinationBlocked(errors),
  slug_taken: ({ slug = "" }) => conflict("taken", { field: "slug", value: slug }),
  slug_used_again: ({ slug = "" }) => conflict("slug_used_again", { value: slug }),
  no_free_slug: () => conflict("no_free_slug"),
  external_id_taken: ({ fields }) => conflict("taken", { field: "externalId", value: fields?.externalId ?? "" }),
  keeps_short_url: () => conflict("keeps_short_url"),
  domain_refused: ({ fields }) => refuseDomain(fields?.domain ?? ""),
  quota_exceeded: ({ quota }) => toQuotaError(quota as ExceededQuota),
  precondition_failed: () => preconditionFailed("changed_since_read", { resource: "link" }),
  changed_concurrently: () => conflict("changed_meanwhile", { resource: "link" }),
} satisfies Record<string, (link: RefusedLink) => Error>;

/** The error for a link at a domain that the account may not use. Of a whole URL, its host was probably meant. */
export function refuseDomain(domain: string): Error {
  const host = hostOf(domain) || hostOf(`https://${domain}`);
  const isOnlyHost = host === "" || !/[/\\?#@]/.test(cleanDomainName(domain));
  return forbidden("domain_refused", { value: domain, ...(!isOnlyHost && { suggestion: host }) });
}

export function refuse(reason: keyof typeof ERRORS, link: RefusedLink = {}): RefusedChange {
  return { ok: false, reason, error: ERRORS[reason](link) };
}

/** Returns the row of a single link. Throws if it was refused. */
export function rowOf(outcome: LinkOutcome = refuse("not_found")): LinkRow {
  if (!outcome.ok) throw outcome.error;
  return outcome.row;
}

/** The error for what would be about a link or a tag that the account does not have. */
export function noSubject({ linkId, tag = "" }: { linkId?: string | undefined; tag?: string | undefined }): Error {
  return linkId === undefined
    ? invalidField("tag", "unknown", { resource: "tag", value: tag })
    : invalidField("linkId", "unknown", { resource: "link", value: linkId });
}
