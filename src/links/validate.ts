import type { ErrorDetail } from "../http/errors.ts";
import { MAX_URL_CHARS } from "../limits.ts";
import type { UpdateLink } from "./contract.ts";
import { destinationError, leadsBack, type OwnHosts } from "./destination.ts";
import { hostOf } from "./domain.ts";
import { isNested } from "../redirect/slug.ts";
import { isReserved, isReservedEverywhere } from "./slugs/reserved-slugs.ts";
import { addUtm } from "./utm.ts";

/** The fields of a link in a request, to create a link or to update one or several. */
export interface LinkRequest<Fields extends UpdateLink = UpdateLink> {
  /** `url` includes `utm`, if the request has both. */
  fields: Fields;
  /** As it is stored; '' is the service's own. undefined: the links keep their domains. */
  domain: string | undefined;
  /** The hosts of all destinations. */
  hosts: string[];
  /** What is wrong, as far as it can be known without the database. */
  errors: ErrorDetail[];
}

export function toLinkRequest<Fields extends UpdateLink>(
  input: Fields,
  domain: string | undefined,
  context: OwnHosts,
): LinkRequest<Fields> {
  const { url, utm } = input;
  const fields = url === undefined || utm === undefined ? input : { ...input, url: addUtm(url, utm) };
  const hosts = new Set(destinationsOf(fields).map(([, destination]) => hostOf(destination)));
  hosts.delete("");
  return { fields, domain, hosts: [...hosts], errors: validateFields(fields, domain, context) };
}

function validateFields(fields: UpdateLink, domain: string | undefined, hosts: OwnHosts): ErrorDetail[] {
  const { url, utm, slug, startsAt, expiresAt } = fields;
  const errors: ErrorDetail[] = [];
  for (const [path, destination] of destinationsOf(fields)) {
    if (leadsBack(destination, hosts)) errors.push({ path, message: "must not lead back to this service" });
  }
  if (url !== undefined && utm !== undefined) errors.push(...validateUtm(url));
  const isReservedHere = slug !== undefined && (isReservedEverywhere(slug) || (domain === "" && isReserved(slug)));
  if (isReservedHere) errors.push(SLUG_RESERVED);
  if (slug !== undefined && isNested(slug) && (domain === "" || domain === hosts.env.ANONYMOUS_HOST))
    errors.push(NESTED_SLUGS_OFF);
  if (startsAt != null && expiresAt != null && startsAt >= expiresAt) errors.push(ENDS_BEFORE_START);
  return errors;
}

export const ENDS_BEFORE_START: ErrorDetail = { path: "expiresAt", message: "must be after startsAt" };

export const SLUG_RESERVED: ErrorDetail = { path: "slug", message: "is reserved for the service" };

export const NESTED_SLUGS_OFF: ErrorDetail = {
  path: "slug",
  message:
    "has a slash, which needs a custom domain that permits slashes in slugs. Permit them in the settings of the domain, or choose a slug without a slash. PATCH /api/domains/:id permits them with nestedSlugs",
};

/** `url` already includes the campaign. */
export function validateUtm(url: string): ErrorDetail[] {
  const tooLong = url.length > MAX_URL_CHARS ? `must leave the URL at most ${MAX_URL_CHARS} characters` : null;
  const message = tooLong ?? destinationError(url);
  return message === null ? [] : [{ path: "utm", message }];
}

/** Returns an error for each destination at one of the service's verified domains. */
export function validateHosts(fields: UpdateLink, verifiedDomains: ReadonlySet<string>): ErrorDetail[] {
  return destinationsOf(fields)
    .filter(([, destination]) => verifiedDomains.has(hostOf(destination)))
    .map(([path]) => ({ path, message: "must not lead to a domain of this service" }));
}

/** The fields that lead visitors elsewhere. */
export type Destinations = Pick<UpdateLink, "url" | "expiredUrl" | "ios" | "android" | "geo" | "rules">;

/** All destinations, with their paths in the request. */
export function destinationsOf(fields: Destinations): [path: string, destination: string][] {
  const { url, expiredUrl, ios, android, geo, rules } = fields;
  const inGeo = Object.entries(geo ?? {}).map(([country, target]) => [`geo.${country}`, target]);
  const inRules = (rules ?? []).map((rule, index) => [`rules.${index}.url`, rule.url]);
  const all = [["url", url], ["expiredUrl", expiredUrl], ["ios", ios], ["android", android], ...inGeo, ...inRules];
  return all.filter((entry): entry is [string, string] => entry[1] != null);
}
