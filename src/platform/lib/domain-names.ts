/** The name in what people give as a domain: without spaces around it, and without what a browser's address adds to it. */
export function cleanDomainName(text: string): string {
  return text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");
}

// Top-level domains that never have public hosts (RFC 6761 and its registry), and those of private networks.
const SPECIAL_SUFFIXES = new Set(
  `alt arpa corp domain example home internal intranet invalid lan local localdomain localhost
  mail onion private test workgroup`.split(/\s+/),
);

/** Whether no public host can have this name. `host` has no trailing dot. */
export function isSpecialName(host: string): boolean {
  return SPECIAL_SUFFIXES.has(host.slice(host.lastIndexOf(".") + 1));
}
