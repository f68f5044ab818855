import type { ServiceContext } from "../platform/context.ts";
import { findAddresses, findAliases, findTexts } from "../platform/lib/dns.ts";
import { challengeName, challengeValue } from "./challenge.ts";
import { serviceHostOf } from "./name.ts";
import type { DomainRow } from "./store/row.ts";
import type { DnsResult } from "./verification-state.ts";
import { MAX_SEEN_RECORD_CHARS, MAX_SEEN_RECORDS } from "./limits.ts";

/** What the DNS has at the names of a domain's records, cut to the limits. */
export interface SeenRecords {
  /** The texts of the TXT records. */
  TXT: string[];
  /** The targets of CNAMEs; without one, the addresses. */
  CNAME: string[];
}

interface LookUp extends DnsResult {
  seen: SeenRecords;
}

/**
 * Looks up a domain's records. Throws a `DnsLookupError` if the lookup of the TXT record fails, and with `cnameRequired`
 * also if that of the CNAME fails.
 */
export async function lookUpDomain(
  { env, baseUrl }: ServiceContext,
  { domain, token }: Pick<DomainRow, "domain" | "token">,
  { cnameRequired }: { cnameRequired: boolean },
): Promise<LookUp> {
  const resolverUrl = env.DNS_OVER_HTTPS_URL;
  const targetLookup = findCname(resolverUrl, domain, serviceHostOf(baseUrl));
  const [texts, target] = await Promise.all([
    findTexts(resolverUrl, challengeName(domain)),
    cnameRequired ? targetLookup : targetLookup.catch(() => null),
  ]);
  return {
    txt: texts.some((text) => text.trim() === challengeValue(token)),
    cname: target === null ? null : target.isService,
    seen: { TXT: cut(texts), CNAME: cut(target?.seen ?? []) },
  };
}

function cut(values: readonly string[]): string[] {
  const first = [...new Set(values)].slice(0, MAX_SEEN_RECORDS);
  return first.map((value) => value.slice(0, MAX_SEEN_RECORD_CHARS).toWellFormed());
}

interface CnameResult {
  isService: boolean;
  seen: string[];
}

/**
 * Whether the domain points to the service: by a CNAME or by the same addresses. A zone's apex cannot have a CNAME, and
 * some name servers flatten CNAMEs to addresses.
 */
async function findCname(resolverUrl: string, domain: string, serviceHost: string): Promise<CnameResult> {
  const direct = await findAliases(resolverUrl, domain);
  if (direct.includes(serviceHost)) return { isService: true, seen: direct };
  const { addresses, aliases } = await findAddresses(resolverUrl, domain);
  const seen = direct.length > 0 ? direct : aliases.length > 0 ? aliases : addresses;
  if (aliases.includes(serviceHost)) return { isService: true, seen };
  if (addresses.length === 0) return { isService: false, seen };
  const service = await findAddresses(resolverUrl, serviceHost);
  return { isService: addresses.every((address) => service.addresses.includes(address)), seen };
}
