import { memoize } from "../platform/lib/memoize.ts";
import { isValidPunycode } from "../platform/lib/punycode.ts";
import { MAX_HOST_CHARS, MAX_HOST_LABEL_CHARS, MAX_KNOWN_TEXTS } from "../limits.ts";
import { because, type Because } from "../platform/http/fault-codes.ts";

/** The hosts and ports that a browser can open. The URL parser alone accepts many others, such as `a..b` and `-a.com`. */

/** Ports that browsers refuse for http and https (Fetch Standard, "port blocking"). */
const BLOCKED_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Returns why a browser cannot open the http or https URL, or null. `text` is the URL as it was written, with its scheme.
 */
export function authorityError(text: string): Because | null {
  const [, authority = ""] = /^[a-z]+:\/\/([^/?#\\]*)/i.exec(text) ?? [];
  return authority.length > MAX_KNOWN_AUTHORITY_CHARS ? errorOf(authority) : knownErrorOf(authority);
}

/** A host name with a port. What is longer is rare, and most is refused. */
const MAX_KNOWN_AUTHORITY_CHARS = MAX_HOST_CHARS + ":65535".length;

// The links of an account lead to few hosts.
const knownErrorOf = memoize(MAX_KNOWN_TEXTS, errorOf);

function errorOf(authority: string): Because | null {
  if (authority.includes("@")) return because("has_credentials");
  const [, host = "", port] = /^(\[[^\]]*\]?|[^:]*)(?::(.*))?$/s.exec(authority) ?? [];
  if (host === "") return because("no_host");
  if (port !== undefined && port !== "") {
    if (!/^\d+$/.test(port) || Number(port) > 65_535) return because("wrong_port");
    if (BLOCKED_PORTS.has(Number(port))) return because("refused_port", { value: String(Number(port)) });
  }
  const hostname = URL.parse(`https://${host}/`)?.hostname ?? "";
  if (hostname.startsWith("[")) return null;
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return ipv4Error(host, hostname);
  return nameError(host, hostname.replace(/\.$/, ""));
}

/** `host` is as it was written. Browsers accept numbers such as 0x7f.1 and 2130706433, which nobody can read. */
function ipv4Error(host: string, address: string): Because | null {
  const first = Number(address.split(".", 1)[0]);
  if ((first === 0 && address !== "0.0.0.0") || first >= 224)
    return because("unreachable_host", { value: host, address });
  return host.replace(/\.$/, "") === address ? null : because("unusual_ip_address", { suggestion: address });
}

function nameError(host: string, name: string): Because | null {
  if (name === "" && /(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(host)) return because("wrong_host_end");
  if (name === "") return because("wrong_host", { value: host });
  const labels = name.split(".");
  if (labels.includes("")) return because("empty_host_label");
  if (labels.some((label) => label.length > MAX_HOST_LABEL_CHARS))
    return because("host_label_too_long", { max: MAX_HOST_LABEL_CHARS });
  if (name.length > MAX_HOST_CHARS) return because("host_too_long", { max: MAX_HOST_CHARS });
  if (labels.some((label) => label.startsWith("-") || label.endsWith("-"))) return because("hyphen_at_label_end");
  // Browsers resolve names with an underscore, although no host should have one (RFC 952).
  if (!/^[a-z0-9._-]+$/.test(name)) return because("wrong_host_characters");
  return isValidPunycode(name) ? null : because("wrong_punycode");
}
