import { cleanDomainName } from "../lib/domain-names.ts";
import {
  conflict,
  destinationBlocked,
  forbidden,
  invalidRequest,
  notFound,
  preconditionFailed,
  type ErrorDetail,
} from "../http/errors.ts";
import { MAX_ALIASES_PER_LINK } from "../limits.ts";
import { toQuotaError, type ExceededQuota } from "../usage/quota.ts";
import { hostOf } from "./domain.ts";
import type { UpdateLink } from "./contract.ts";
import type { LinkRow } from "./store/row.ts";
import { ENDS_BEFORE_START } from "./validate.ts";

/** The result of an operation for one link. */
export type LinkOutcome = { ok: true; row: LinkRow } | RefusedChange;

interface RefusedChange {
  ok: false;
  reason: keyof typeof ERRORS;
  error: Error;
}

interface RefusedLink {
  fields?: Pick<UpdateLink, "domain" | "externalId" | "expiresAt">;
  slug?: string | undefined;
  errors?: ErrorDetail[];
  quota?: ExceededQuota;
}

const ERRORS = {
  not_found: () => notFound("There is no such link."),
  forbidden: () => forbidden("This link belongs to another account."),
  not_an_alias: () =>
    invalidRequest([
      { path: "aliases", message: "can only name aliases that the link has, and the slug that `slug` replaces" },
    ]),
  too_many_aliases: () =>
    conflict(
      `The link has ${MAX_ALIASES_PER_LINK} aliases, and its former slug would be one more. Remove one with "aliases" first.`,
    ),
  domain_has_aliases: () =>
    conflict(
      `The link has aliases, which would end with its domain. Remove them in the same request with "aliases": [].`,
    ),
  ends_before_start: ({ fields }) =>
    invalidRequest([
      fields?.expiresAt == null ? { path: "startsAt", message: "must be before expiresAt" } : ENDS_BEFORE_START,
    ]),
  invalid: ({ errors = [] }) => invalidRequest(errors),
  destination_blocked: ({ errors = [] }) => destinationBlocked(errors),
  slug_taken: ({ slug }) => conflict(`The slug ${slug} is taken. Choose another one.`),
  slug_used_again: ({ slug }) =>
    conflict(`The slug ${slug} was used again after the deletion, so this link cannot be restored.`),
  no_free_slug: () => conflict("No free slug was found. Try again."),
  external_id_taken: ({ fields }) => conflict(`Another link of this account has the externalId ${fields?.externalId}.`),
  keeps_short_url: () =>
    conflict("This link was made without an account, at a host for such links. Its domain and slug cannot be changed."),
  domain_refused: ({ fields }) =>
    forbidden(`${fields?.domain} is not a verified domain of this account. ${domainAdvice(fields?.domain ?? "")}`),
  quota_exceeded: ({ quota }) => toQuotaError(quota as ExceededQuota),
  precondition_failed: () =>
    preconditionFailed(
      "The link was changed since you read it. Read it again, and repeat the request with its new ETag.",
    ),
  changed_concurrently: () => conflict("Other requests are changing this link at the same time. Try again."),
} satisfies Record<string, (link: RefusedLink) => Error>;

function domainAdvice(domain: string): string {
  const host = hostOf(domain) || hostOf(`https://${domain}`);
  const isOnlyHost = host === "" || !/[/\\?#@]/.test(cleanDomainName(domain));
  return isOnlyHost ? "Add and verify it first." : `Give only the name of the host, such as ${host}.`;
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
export function noSubject(linkId: string | undefined): Error {
  return invalidRequest([
    linkId === undefined
      ? { path: "tag", message: "must be a tag of the account's links; no link has this one" }
      : { path: "linkId", message: `must be a link of the account; ${linkId} is none` },
  ]);
}
