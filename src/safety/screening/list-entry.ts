import { getDomain } from "tldts-icann";
import { canonicalHost, canonicalize, formatUrl, isAddress } from "../../platform/lib/canonical-url.ts";
import { isSharedHost } from "./shared-hosts.ts";

/** The format of a list file. `hosts`: a host a line, or a hosts file. `urls`: a URL a line. */
export type ListFormat = "hosts" | "urls";

/** The text that is hashed for a host. A host entry covers its subdomains. */
export const hostText = (host: string): string => `host ${host}`;
/** The text that is hashed for a URL, without its scheme. It matches exactly. */
export const urlText = (host: string, pathAndQuery: string): string => `url ${host}${pathAndQuery}`;

/** An entry of the operators' own list: its canonical form, and the text that is compared. null: it is no host and no URL. */
export function readOwnEntry(text: string): { value: string; entry: string } | null {
  const isUrl = /^https?:\/\//i.test(text);
  const url = canonicalize(text.replace(/^\*\./, ""));
  if (url === null || !isNamed(url.host)) return null;
  if (isUrl) return { value: formatUrl(url), entry: urlText(url.host, url.path + url.query) };
  return url.path === "/" && url.query === "" ? { value: url.host, entry: hostText(url.host) } : null;
}

const IP_ADDRESS = /^(\d+\.\d+\.\d+\.\d+|[\da-f]*:[\da-f:.]*)$/i;

/** The texts that are hashed for a line; null: the line cannot be read. Comments and empty lines have none. */
export function readLine(line: string, format: ListFormat): string[] | null {
  const text = line.trim();
  if (text === "" || /^[#!;]/.test(text)) return [];
  return format === "urls" ? readUrl(text) : readHosts(text);
}

function readUrl(text: string): string[] | null {
  if (!/^https?:\/\//i.test(text)) return null;
  const url = canonicalize(text);
  if (url === null || !isNamed(url.host)) return null;
  return [urlText(url.host, url.path + url.query)];
}

/** A host, or the line of a hosts file: an address, names and a comment. */
function readHosts(text: string): string[] | null {
  const words = text
    .replace(/\s[#!].*$/, "")
    .trim()
    .split(/[\s,]+/);
  const isHostsFile = words.length > 1 && IP_ADDRESS.test(words[0] ?? "");
  const names = isHostsFile ? words.slice(1) : words.slice(0, 1);
  const entries: string[] = [];
  for (const name of names) {
    const host = canonicalHost(name.replace(/^\*\./, ""));
    // `localhost` and the like are in every hosts file.
    if (isHostsFile && !host.includes(".")) continue;
    if (/[/?#\\]/.test(name) || !isNamed(host)) return null;
    // One bad page there is no reason to warn of all others.
    if (!isSharedHost(host)) entries.push(hostText(host));
  }
  return entries;
}

/** Whether a visitor's browser can reach it, and it is no suffix under which everybody registers names. */
function isNamed(host: string): boolean {
  return isAddress(host) || (/^[a-z0-9._-]+$/.test(host) && getDomain(host) !== null);
}
