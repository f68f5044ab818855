// Names that never lead to a public host (RFC 6761 and its registry), or that networks use for themselves.
const SPECIAL_SUFFIXES = new Set(
  `alt arpa corp domain example home internal intranet invalid lan local localdomain localhost
  mail onion private test workgroup`.split(/\s+/),
);

/** Whether a host name without a dot at its end is of a kind that no public host has. */
export function isSpecialName(host: string): boolean {
  return SPECIAL_SUFFIXES.has(host.slice(host.lastIndexOf(".") + 1));
}
