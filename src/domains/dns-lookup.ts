import { findAddresses, findAliases, findTexts } from "../lib/dns.ts";
import { challengeName, challengeValue } from "./challenge.ts";
import type { DnsResult } from "./verification-state.ts";
import type { DomainRow } from "./row.ts";

type Asked = Pick<DomainRow, "domain" | "token">;

/** Looks up a domain's records. Throws a `LookUpError` where one of them could not be looked up. */
export async function lookUp(resolverUrl: string, asked: Asked, serviceHost: string): Promise<DnsResult> {
  const [txt, cname] = await Promise.all([
    hasProof(resolverUrl, asked),
    leadsHere(resolverUrl, asked.domain, serviceHost),
  ]);
  return { txt, cname };
}

/** The same where it is the TXT record that counts. */
export async function lookUpProof(resolverUrl: string, asked: Asked, serviceHost: string): Promise<DnsResult> {
  const [txt, cname] = await Promise.all([
    hasProof(resolverUrl, asked),
    leadsHere(resolverUrl, asked.domain, serviceHost).catch(() => null),
  ]);
  return { txt, cname };
}

async function hasProof(resolverUrl: string, { domain, token }: Asked): Promise<boolean> {
  const texts = await findTexts(resolverUrl, challengeName(domain));
  return texts.some((text) => text.trim() === challengeValue(token));
}

/**
 * By a CNAME, or by the same addresses: the top of a zone can have no CNAME, and some name servers answer with the
 * addresses behind one instead.
 */
async function leadsHere(resolverUrl: string, domain: string, serviceHost: string): Promise<boolean> {
  if ((await findAliases(resolverUrl, domain)).includes(serviceHost)) return true;
  const its = await findAddresses(resolverUrl, domain);
  if (its.aliases.includes(serviceHost)) return true;
  if (its.addresses.length === 0) return false;
  const ours = (await findAddresses(resolverUrl, serviceHost)).addresses;
  return its.addresses.every((address) => ours.includes(address));
}
