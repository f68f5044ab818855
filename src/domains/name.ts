import ipaddr from "ipaddr.js";
import { toUnicode } from "punycode/punycode.es6.js";
import { parse } from "tldts-icann";
import { isValidPunycode } from "../platform/lib/punycode.ts";
import { isSpecialName, cleanDomainName } from "../platform/lib/domain-names.ts";
import { isWithin } from "../platform/lib/hosts.ts";
import { skeletonOf } from "../platform/lib/name-skeleton.ts";
import { MAX_HOST_CHARS, MAX_HOST_LABEL_CHARS } from "../limits.ts";
import { challengeName } from "./challenge.ts";
import { because, type Because } from "../platform/http/faults.ts";

const LABELS = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const LABEL = /^(?!-)[a-z0-9-]+(?<!-)$/;

/** A domain name as it is stored (lower case, Punycode), or the reason why it cannot be used for links. */
export type ParsedName = { domain: string; fault?: never } | { domain?: never; fault: Because };

export function parseName(text: string): ParsedName {
  const given = cleanDomainName(text);
  const syntaxFault = syntaxFaultOf(given);
  if (syntaxFault !== null) return { fault: syntaxFault };
  const domain = URL.parse(`http://${given}/`)?.hostname.replace(/\.$/, "");
  if (domain === undefined || domain === "" || !isValidPunycode(domain)) return { fault: because("not_a_host_name") };
  if (ipaddr.IPv4.isValid(domain)) return { fault: IP_ADDRESS };
  const fault = nameFaultOf(domain);
  return fault === null ? { domain } : { fault };
}

const IP_ADDRESS = because("ip_address");

function syntaxFaultOf(text: string): Because | null {
  if (/^\[|:.*:/.test(text) && !text.includes("/")) return IP_ADDRESS;
  if (/[/\\?#@:]/.test(text)) {
    const host = hostIn(text);
    return because("not_only_a_host", host === null ? {} : { suggestion: host });
  }
  if (text.includes("*")) return because("wildcard");
  if (/[%\s\p{Cc}]/u.test(text) || !text.isWellFormed()) return because("not_a_host_name");
  return null;
}

/** The host in what was given with a port, a path or another scheme. */
function hostIn(text: string): string | null {
  const host = URL.parse(text.includes("://") ? text : `http://${text}`)?.hostname ?? "";
  return LABELS.test(host) ? host : null;
}

function nameFaultOf(domain: string): Because | null {
  const labels = domain.split(".");
  if (labels.some((label) => label.length > MAX_HOST_LABEL_CHARS))
    return because("host_label_too_long", { max: MAX_HOST_LABEL_CHARS });
  if (!labels.every((label) => LABEL.test(label))) return because("wrong_host_labels");
  if (isSpecialName(domain)) return because("special_name");
  if (labels.length < 2) return because("too_few_labels");
  if (challengeName(domain).length > MAX_HOST_CHARS)
    return because("host_too_long", { max: MAX_HOST_CHARS - challengeName("").length });
  if (parse(domain).domain === null) return because("public_suffix");
  return null;
}

/** The name with its Punycode labels in Unicode. */
export function toUnicodeName(domain: string): string {
  return toUnicode(domain);
}

/** The service's host name, the target of the CNAME records of custom domains. */
export function serviceHostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname;
}

/** The reason why nobody may add the domain because it conflicts with the service's own host, or null. */
export function conflictWithService(domain: string, serviceHost: string): Because | null {
  if (isWithin(domain, serviceHost)) return because("own_host");
  if (isWithin(serviceHost, domain)) return because("above_own_host");
  const [given, own] = [skeletonOf(domain), skeletonOf(serviceHost)];
  return isWithin(given, own) || isWithin(own, given) ? because("like_own_host") : null;
}
