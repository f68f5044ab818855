import { conflict, forbidden, invalidRequest, type ErrorDetail } from "../http/errors.ts";
import { MAX_URL_CHARS } from "../limits.ts";
import type { UpdateLink } from "./contract.ts";
import { destinationError, leadsBack } from "./destination.ts";
import { hostOf } from "./domain.ts";
import { isReserved, isReservedEverywhere } from "./slug.ts";
import { addUtm } from "./utm.ts";

/** What a request for a link is refused for, beyond the form of its fields. */

export const slugTaken = (slug: string | undefined) => conflict(`The slug ${slug} is taken. Choose another one.`);
export const externalIdTaken = (externalId: string | null | undefined) =>
  conflict(`Another link of this account has the externalId ${externalId}.`);
export const domainRefused = (domain: string | undefined) =>
  forbidden(`${domain} is not a verified domain of this account. Add and verify it first.`);
export const slugReserved = () => invalidRequest([RESERVED]);
export const leadsToDomain = (input: UpdateLink, loops: ReadonlySet<string>) => invalidRequest(findLoops(input, loops));

const RESERVED = { path: "slug", message: "is a word that the service keeps for itself" };

/** The fields with the campaign in the URL, if both are given. */
export function withCampaign<T extends UpdateLink>(input: T): T {
  return input.url === undefined || input.utm === undefined ? input : { ...input, url: addUtm(input.url, input.utm) };
}

/** All that can be said without the database; `domain` is undefined where only that knows it. */
export function findFaults(
  input: UpdateLink,
  domain: string | undefined,
  { baseUrl, now }: { baseUrl: string; now: number },
): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  for (const [path, destination] of destinationsOf(input)) {
    if (leadsBack(destination, baseUrl)) faults.push({ path, message: "must not lead back to this service" });
  }
  if (input.url !== undefined && input.utm !== undefined) faults.push(...findUtmFaults(input.url));
  const { slug } = input;
  if (slug !== undefined && (isReservedEverywhere(slug) || (domain === "" && isReserved(slug)))) faults.push(RESERVED);
  if (input.expiresAt != null && input.expiresAt <= now) {
    faults.push({ path: "expiresAt", message: "must be in the future (in milliseconds, if it is a number)" });
  }
  return faults;
}

/** The destinations at `loops`, verified domains of the service. */
export function findLoops(input: UpdateLink, loops: ReadonlySet<string>): ErrorDetail[] {
  return destinationsOf(input)
    .filter(([, destination]) => loops.has(hostOf(destination)))
    .map(([path]) => ({ path, message: "must not lead to a domain of this service" }));
}

/** What is wrong with a URL now that it has a campaign. */
export function findUtmFaults(url: string): ErrorDetail[] {
  const tooLong = url.length > MAX_URL_CHARS ? `must leave the URL at most ${MAX_URL_CHARS} characters` : null;
  const message = tooLong ?? destinationError(url);
  return message === null ? [] : [{ path: "utm", message }];
}

/** The hosts that visitors may be sent to, each once. */
export function hostsOf(input: UpdateLink): string[] {
  const hosts = new Set(destinationsOf(input).map(([, destination]) => hostOf(destination)));
  hosts.delete("");
  return [...hosts];
}

/** Every address that visitors may be sent to, with its place in the request. */
function destinationsOf(input: UpdateLink): [path: string, destination: string][] {
  const { url, expiredUrl, ios, android, geo, rules } = input;
  const inGeo = Object.entries(geo ?? {}).map(([country, target]) => [`geo.${country}`, target]);
  const inRules = (rules ?? []).map((rule, index) => [`rules.${index}.url`, rule.url]);
  const all = [["url", url], ["expiredUrl", expiredUrl], ["ios", ios], ["android", android], ...inGeo, ...inRules];
  return all.filter((entry): entry is [string, string] => entry[1] != null);
}
