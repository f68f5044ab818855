import type { ServiceContext } from "../context.ts";
import { findAddresses, findAliases, findTexts } from "../lib/dns.ts";
import { challengeName, challengeValue } from "./challenge.ts";
import { serviceHostOf } from "./name.ts";
import type { DomainRow } from "./store/row.ts";
import type { DnsResult } from "./verification-state.ts";

/**
 * Looks up a domain's records. Throws a `DnsLookupError` if the lookup of the TXT record fails, and with `cnameRequired`
 * also if that of the CNAME fails.
 */
export async function lookUpDomain(
  { env, baseUrl }: ServiceContext,
  { domain, token }: Pick<DomainRow, "domain" | "token">,
  { cnameRequired }: { cnameRequired: boolean },
): Promise<DnsResult> {
  const resolverUrl = env.DNS_OVER_HTTPS_URL;
  const cnameLookup = pointsTo(resolverUrl, domain, serviceHostOf(baseUrl));
  const [txt, cname] = await Promise.all([
    hasProof(resolverUrl, domain, token),
    cnameRequired ? cnameLookup : cnameLookup.catch(() => null),
  ]);
  return { txt, cname };
}

async function hasProof(resolverUrl: string, domain: string, token: string): Promise<boolean> {
  const texts = await findTexts(resolverUrl, challengeName(domain));
  return texts.some((text) => text.trim() === challengeValue(token));
}

/**
 * Whether the domain points to the service: by a CNAME or by the same addresses. A zone's apex cannot have a CNAME, and
 * some name servers flatten CNAMEs to addresses.
 */
async function pointsTo(resolverUrl: string, domain: string, serviceHost: string): Promise<boolean> {
  if ((await findAliases(resolverUrl, domain)).includes(serviceHost)) return true;
  const { addresses, aliases } = await findAddresses(resolverUrl, domain);
  if (aliases.includes(serviceHost)) return true;
  if (addresses.length === 0) return false;
  const service = await findAddresses(resolverUrl, serviceHost);
  return addresses.every((address) => service.addresses.includes(address));
}
