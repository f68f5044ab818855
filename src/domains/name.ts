import { remove as withoutConfusables } from "confusables";
import ipaddr from "ipaddr.js";
import { toUnicode } from "punycode/punycode.es6.js";
import { parse } from "tldts-icann";
import { isSpecialName } from "../lib/special-names.ts";
import { MAX_HOST_CHARS } from "../limits.ts";
import { challengeName } from "./challenge.ts";

const LONGEST_LABEL_CHARS = 63;
const LABEL = /^(?!-)[a-z0-9-]+(?<!-)$/;

/** A domain name as it is stored (lower case, Punycode), or why the text is none that links could be at. */
export type ParsedName = { domain: string; fault?: never } | { domain?: never; fault: string };

export function parseName(text: string): ParsedName {
  const given = text.trim();
  const shape = faultOfShape(given);
  if (shape !== null) return { fault: shape };
  const domain = URL.parse(`http://${given}/`)?.hostname.replace(/\.$/, "");
  if (domain === undefined || domain === "" || !isReadable(domain)) return { fault: "is not a valid host name" };
  if (ipaddr.IPv4.isValid(domain)) return { fault: NO_ADDRESS };
  const fault = faultOfName(domain);
  return fault === null ? { domain } : { fault };
}

/** Punycode that stands for no name that could be written in Unicode is none. */
function isReadable(domain: string): boolean {
  try {
    return URL.parse(`http://${toUnicode(domain)}/`)?.hostname.replace(/\.$/, "") === domain;
  } catch {
    return false;
  }
}

const NO_ADDRESS = "must be a name, not an IP address";

function faultOfShape(text: string): string | null {
  if (/^\[|:.*:/.test(text) && !text.includes("/")) return NO_ADDRESS;
  if (/[/\\?#@]/.test(text)) return "must be a host name alone, without https:// and without a path";
  if (text.includes(":")) return "must not have a port";
  if (text.includes("*")) return "must be one name: wildcards are not possible";
  if (/[%\s\p{Cc}]/u.test(text) || !text.isWellFormed()) return "is not a valid host name";
  return null;
}

function faultOfName(domain: string): string | null {
  const labels = domain.split(".");
  if (labels.some((label) => label.length > LONGEST_LABEL_CHARS))
    return `must not have a part of more than ${LONGEST_LABEL_CHARS} characters, as Punycode`;
  if (!labels.every((label) => LABEL.test(label)))
    return "may have letters, digits and hyphens only, with a dot between its parts, and no part may begin or end with a hyphen";
  if (isSpecialName(domain)) return "is a name of a kind that no public host has";
  if (labels.length < 2) return "must have at least two parts, such as go.acme.com";
  if (challengeName(domain).length > MAX_HOST_CHARS)
    return `must have at most ${MAX_HOST_CHARS - challengeName("").length} characters, as Punycode`;
  if (parse(domain).domain === null) return "is a public suffix, under which others have their names";
  return null;
}

/** The name as people read it. */
export function toUnicodeName(domain: string): string {
  return toUnicode(domain);
}

/** Why a domain may not be anybody's because of the service's own host, or null. */
export function conflictWithService(domain: string, serviceHost: string): string | null {
  if (domain === serviceHost || domain.endsWith(`.${serviceHost}`))
    return "is the service's own host, or a name under it";
  if (serviceHost.endsWith(`.${domain}`)) return "holds the service's own host";
  const [look, own] = [skeletonOf(domain), skeletonOf(serviceHost)];
  const alike = look === own || look.endsWith(`.${own}`) || own.endsWith(`.${look}`);
  return alike ? "looks like the service's own host" : null;
}

/**
 * Names that look alike have the same: accents gone, letters of other alphabets as the Latin ones they resemble, and
 * one for i, l and 1 (a dotless i and an iota come out as an l), and for o and 0.
 */
function skeletonOf(domain: string): string {
  const latin = withoutConfusables(toUnicode(domain).normalize("NFKD")).toLowerCase();
  return latin.replaceAll(/[i1]/g, "l").replaceAll("0", "o");
}
