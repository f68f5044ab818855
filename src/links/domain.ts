import { cleanDomainName } from "../platform/lib/domain-names.ts";
import { hostOf } from "../platform/lib/host-of.ts";

/** The domains of links. '' is the service's own domain; custom domains are in lower case and Punycode. */

/**
 * The stored form of a domain in a request, which may be given as a URL such as https://go.acme.com/. A text that is no
 * host name is kept; no account has such a domain.
 */
export function toStoredDomain(text: string, baseUrl: string): string {
  const given = cleanDomainName(text).toLowerCase();
  const host = /[\s/\\?#@:]/.test(given) ? "" : hostOf(`https://${given}`);
  const name = host === "" ? given : host;
  return name === new URL(baseUrl).host ? "" : name;
}
