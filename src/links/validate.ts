import { MAX_URL_CHARS } from "../limits.ts";
import type { UpdateLink } from "./contract.ts";
import { destinationError, leadsBack, type OwnHosts } from "./destination-url.ts";
import { hostOf } from "../platform/lib/host-of.ts";
import { isNested } from "../platform/lib/slug.ts";
import { isReserved, isReservedEverywhere } from "./slugs/reserved-slugs.ts";
import { addUtm } from "./utm.ts";
import { fault, readBecause, type Fault } from "../platform/http/faults.ts";

/** The fields of a link in a request, to create a link or to update one or several. */
export interface LinkRequest<Fields extends UpdateLink = UpdateLink> {
  /** `url` includes `utm`, if the request has both. */
  fields: Fields;
  /** As it is stored; '' is the service's own. undefined: the links keep their domains. */
  domain: string | undefined;
  /** The hosts of all destinations. */
  hosts: string[];
  /** What is wrong, as far as it can be known without the database. */
  errors: Fault[];
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

function validateFields(fields: UpdateLink, domain: string | undefined, hosts: OwnHosts): Fault[] {
  const { url, utm, slug, startsAt, expiresAt } = fields;
  const errors: Fault[] = [];
  for (const [path, destination] of destinationsOf(fields)) {
    if (leadsBack(destination, hosts)) errors.push(fault(path, "leads_back"));
  }
  if (url !== undefined && utm !== undefined) errors.push(...validateUtm(url));
  const isReservedHere = slug !== undefined && (isReservedEverywhere(slug) || (domain === "" && isReserved(slug)));
  if (isReservedHere) errors.push(SLUG_RESERVED);
  if (slug !== undefined && isNested(slug) && (domain === "" || domain === hosts.env.ANONYMOUS_HOST))
    errors.push(NESTED_SLUGS_OFF);
  if (startsAt != null && expiresAt != null && startsAt >= expiresAt) errors.push(ENDS_BEFORE_START);
  return errors;
}

export const ENDS_BEFORE_START: Fault = fault("expiresAt", "not_after", { field: "startsAt" });

export const SLUG_RESERVED: Fault = fault("slug", "reserved");

export const NESTED_SLUGS_OFF: Fault = fault("slug", "nested_slugs_off");

/** `url` already includes the campaign. */
export function validateUtm(url: string): Fault[] {
  if (url.length > MAX_URL_CHARS) return [fault("utm", "too_long_with_utm", { max: MAX_URL_CHARS })];
  const reason = destinationError(url);
  return reason === null ? [] : [readBecause("utm", reason)];
}

/** Returns an error for each destination at one of the service's verified domains. */
export function validateHosts(fields: UpdateLink, verifiedDomains: ReadonlySet<string>): Fault[] {
  return destinationsOf(fields)
    .filter(([, destination]) => verifiedDomains.has(hostOf(destination)))
    .map(([path]) => fault(path, "leads_to_domain"));
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
