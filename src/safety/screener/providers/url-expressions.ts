import { isAddress, type CanonicalUrl } from "../canonical-url.ts";

// "Suffix/prefix expressions" of Safe Browsing's documentation: what its lists have hashes of.

/** Host names of an expression: the exact one, and up to four more. */
const MAX_HOST_SUFFIXES = 4;
/** Those are made from so many of the last labels. */
const MAX_SUFFIX_LABELS = 5;
/** Paths of an expression besides the exact one with and without its query. */
const MAX_PATH_PREFIXES = 4;

/** At most 30 texts: each host name with each path. */
export function expressionsOf({ host, path, query }: CanonicalUrl): string[] {
  return hostsOf(host).flatMap((name) => pathsOf(path, query).map((each) => name + each));
}

function hostsOf(host: string): string[] {
  if (isAddress(host)) return [host];
  const labels = host.split(".");
  const hosts = [host];
  // A top-level domain alone is not looked up.
  for (
    let count = Math.min(labels.length - 1, MAX_SUFFIX_LABELS);
    count >= 2 && hosts.length <= MAX_HOST_SUFFIXES;
    count--
  )
    hosts.push(labels.slice(-count).join("."));
  return hosts;
}

function pathsOf(path: string, query: string): string[] {
  const segments = path.split("/").slice(1, -1);
  const prefixes = ["/"];
  for (let depth = 1; depth <= segments.length && prefixes.length < MAX_PATH_PREFIXES; depth++)
    prefixes.push(`/${segments.slice(0, depth).join("/")}/`);
  return [...new Set([path + query, path, ...prefixes])];
}
