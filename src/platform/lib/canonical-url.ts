import ipaddr from "ipaddr.js";
import { getDomain } from "tldts-icann";
import { MAX_CANONICAL_URL_CHARS, MAX_DOMAINS_ABOVE, MAX_UNESCAPE_ROUNDS } from "../../limits.ts";

// URLs as Google Safe Browsing compares them ("URLs and Hashing" of its documentation): each spelling of an address has the
// same canonical form. The texts in between are bytes, one character each.

/** The parts of a canonical URL. */
export interface CanonicalUrl {
  scheme: string;
  host: string;
  /** Without the query. Begins with a slash. */
  path: string;
  /** With its question mark; '' without a query. */
  query: string;
}

/** The canonical form of a URL; one without a scheme has http. null: it has no host, or is not of the web. */
export function canonicalize(text: string): CanonicalUrl | null {
  const cleaned = text.replace(/^[\0- ]+|[\0- ]+$/g, "").replaceAll(/[\t\r\n]/g, "");
  if (cleaned.length > MAX_CANONICAL_URL_CHARS) return null;
  const [withoutFragment = ""] = cleaned.split("#", 1);
  // Browsers read a backslash as a slash, up to the query.
  const [beforeQuery = "", ...queries] = withoutFragment.split("?");
  const address = beforeQuery.replaceAll("\\", "/");
  const [, scheme = "http", rest = address] = /^([a-z][a-z0-9+.-]*):\/{2,}(.*)$/is.exec(address) ?? [];
  if (!/^https?$/i.test(scheme)) return null;
  const at = rest.indexOf("/");
  const authority = at === -1 ? rest : rest.slice(0, at);
  const host = canonicalHost(authority);
  if (host === "") return null;
  const path = at === -1 ? "/" : resolvePath(unescapeFully(toBytes(rest.slice(at))));
  const query = queries.length === 0 ? "" : `?${escape(unescapeFully(toBytes(queries.join("?"))))}`;
  return { scheme: scheme.toLowerCase(), host, path: escape(path), query };
}

/** The URL as one text. */
export function formatUrl({ scheme, host, path, query }: CanonicalUrl): string {
  return `${scheme}://${host}${path}${query}`;
}

/** The host in its canonical form: as it would be in a canonical URL; '' if it has none. */
export function canonicalHost(authority: string): string {
  const withPort = authority.slice(authority.lastIndexOf("@") + 1);
  const name = withPort.startsWith("[") ? withPort.replace(/\]:\d*$/, "]") : withPort.replace(/:\d*$/, "");
  const unescaped = unescapeFully(toBytes(name));
  const ascii = toAscii(unescaped)
    .toLowerCase()
    .replaceAll(/\.{2,}/g, ".")
    .replace(/^\.|\.$/g, "");
  return escape(ipv4Of(ascii) ?? ipv6Of(ascii) ?? ascii);
}

/** International names in Punycode, as browsers ask for them. A name that has no such form stays as it is. */
function toAscii(name: string): string {
  if (!/[\x80-\xff]/.test(name)) return name;
  return URL.parse(`http://${fromBytes(name)}/`)?.hostname ?? name;
}

/** The dotted form of an IPv4 address in any form that inet_aton reads; null: it is none. */
function ipv4Of(host: string): string | null {
  if (!/^(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+)){0,3}$/.test(host) || !ipaddr.IPv4.isValid(host)) return null;
  return ipaddr.IPv4.parse(host).toString();
}

/** An IPv6 address in one spelling, or the IPv4 address in it (RFC 4291, 2.5.5; RFC 6052, 2.1); null: it is none. */
function ipv6Of(host: string): string | null {
  const [, text = ""] = /^\[(.*)\]$/.exec(host) ?? [];
  if (!ipaddr.IPv6.isValid(text)) return null;
  const address = ipaddr.IPv6.parse(text);
  if (!["ipv4Mapped", "rfc6145", "rfc6052"].includes(address.range())) return `[${address.toString()}]`;
  return new ipaddr.IPv4(address.toByteArray().slice(-4)).toString();
}

export function isAddress(host: string): boolean {
  return host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

function resolvePath(path: string): string {
  const segments = path.split("/").slice(1);
  const resolved: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === "..") resolved.pop();
    if (segment === ".." || segment === "." || (segment === "" && !isLast)) {
      if (isLast) resolved.push("");
      continue;
    }
    resolved.push(segment);
  }
  return `/${resolved.join("/")}`;
}

const ESCAPED = /%([\da-f]{2})/gi;

/** Removes all percent-encoding, however often it was applied. */
function unescapeFully(text: string): string {
  let before = text;
  for (let round = 0; round < MAX_UNESCAPE_ROUNDS; round++) {
    const after = before.replaceAll(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (after === before) break;
    before = after;
  }
  return before;
}

/** Percent-encodes the bytes that a canonical URL does not have as they are. */
function escape(bytes: string): string {
  return bytes.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /[\0-\x20#%\x7f-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

function toBytes(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

function fromBytes(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/**
 * The host and the shortest {@link MAX_DOMAINS_ABOVE} domains above it that have an owner of their own, from the longest:
 * a.b.example.com, b.example.com, example.com.
 */
export function hostSuffixes(host: string): string[] {
  const domain = isAddress(host) ? null : getDomain(host);
  if (domain === null) return [host];
  const suffixes = [host];
  for (let rest = host; rest !== domain && rest.endsWith(`.${domain}`);) {
    rest = rest.slice(rest.indexOf(".") + 1);
    suffixes.push(rest);
  }
  return [host, ...suffixes.slice(1).slice(-MAX_DOMAINS_ABOVE)];
}
