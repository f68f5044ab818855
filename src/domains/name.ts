import ipaddr from "ipaddr.js";
import { toUnicode } from "punycode/punycode.es6.js";
import { parse } from "tldts-icann";
import { isValidPunycode } from "../lib/punycode.ts";
import { isSpecialName, cleanDomainName } from "../lib/domain-names.ts";
import { isWithin } from "../lib/hosts.ts";
import { skeletonOf } from "../lib/name-skeleton.ts";
import { MAX_HOST_CHARS, MAX_HOST_LABEL_CHARS } from "../limits.ts";
import { challengeName } from "./challenge.ts";

const LABELS = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const LABEL = /^(?!-)[a-z0-9-]+(?<!-)$/;

/** A domain name as it is stored (lower case, Punycode), or the reason why it cannot be used for links. */
export type ParsedName = { domain: string; fault?: never } | { domain?: never; fault: string };

export function parseName(text: string): ParsedName {
  const given = cleanDomainName(text);
  const syntaxFault = syntaxFaultOf(given);
  if (syntaxFault !== null) return { fault: syntaxFault };
  const domain = URL.parse(`http://${given}/`)?.hostname.replace(/\.$/, "");
  if (domain === undefined || domain === "" || !isValidPunycode(domain)) return { fault: "is not a valid host name" };
  if (ipaddr.IPv4.isValid(domain)) return { fault: IP_ADDRESS };
  const fault = nameFaultOf(domain);
  return fault === null ? { domain } : { fault };
}

const IP_ADDRESS = "must be a name, not an IP address";

function syntaxFaultOf(text: string): string | null {
  if (/^\[|:.*:/.test(text) && !text.includes("/")) return IP_ADDRESS;
  if (/[/\\?#@:]/.test(text)) return `must be only the name of a host: ${hostIn(text) ?? "go.acme.com"}`;
  if (text.includes("*")) return "must be a single name; wildcards are not supported";
  if (/[%\s\p{Cc}]/u.test(text) || !text.isWellFormed()) return "is not a valid host name";
  return null;
}

/** The host in what was given with a port, a path or another scheme. */
function hostIn(text: string): string | null {
  const host = URL.parse(text.includes("://") ? text : `http://${text}`)?.hostname ?? "";
  return LABELS.test(host) ? host : null;
}

function nameFaultOf(domain: string): string | null {
  const labels = domain.split(".");
  if (labels.some((label) => label.length > MAX_HOST_LABEL_CHARS))
    return `must not have a label of more than ${MAX_HOST_LABEL_CHARS} characters in Punycode`;
  if (!labels.every((label) => LABEL.test(label)))
    return "must consist of labels of letters, digits and hyphens with a dot between them, and no label may begin or end with a hyphen";
  if (isSpecialName(domain)) return "has a top-level domain that no public host has";
  if (labels.length < 2) return "must have at least two labels, such as go.acme.com";
  if (challengeName(domain).length > MAX_HOST_CHARS)
    return `must have at most ${MAX_HOST_CHARS - challengeName("").length} characters in Punycode`;
  if (parse(domain).domain === null) return "is a public suffix, under which anyone can register names";
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
export function conflictWithService(domain: string, serviceHost: string): string | null {
  if (isWithin(domain, serviceHost)) return "is the service's own host or a subdomain of it";
  if (isWithin(serviceHost, domain)) return "is a parent domain of the service's own host";
  const [given, own] = [skeletonOf(domain), skeletonOf(serviceHost)];
  return isWithin(given, own) || isWithin(own, given) ? "looks like the service's own host" : null;
}
