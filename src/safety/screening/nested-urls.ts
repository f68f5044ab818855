import { MAX_UNESCAPE_ROUNDS } from "../../limits.ts";
import { MAX_NESTED_DEPTH, MAX_NESTED_HOSTS, MAX_NESTED_URLS } from "./limits.ts";

// URLs that another URL carries, as redirectors and trackers have them: in a parameter, the path or the fragment, as it is,
// percent-encoded or in Base64.

/** A URL and what it carries. */
export interface NestedUrls {
  /** The URL itself and the URLs in it. */
  urls: [string, ...string[]];
  /** Parameters that are hosts without a scheme, as URLs. Many are mere words with a dot, which only rules compare. */
  hosts: readonly string[];
  /** Whether the URL carries more URLs or hosts than are read, or one that is more than {@link MAX_NESTED_DEPTH} levels deep. */
  hasMore: boolean;
}

/** Reads at most {@link MAX_NESTED_URLS} and {@link MAX_NESTED_HOSTS}. */
export function readNestedUrls(url: string): NestedUrls {
  const urls = new Set([url]);
  const hosts = new Set<string>();
  let level = [url];
  let hasMore = false;
  for (let depth = 0; level.length > 0 && !hasMore; depth++) {
    const parts = level.map(carriedBy);
    const values = parts.flatMap((part) => part.values);
    const texts = [...parts.flatMap((part) => part.paths), ...values];
    level = [...new Set(texts.flatMap((text) => urlIn(text) ?? fromBase64(text) ?? []))].filter(
      (text) => !urls.has(text),
    );
    for (const text of values) if (urlIn(text) === null) for (const host of hostIn(text)) hosts.add(host);
    hasMore =
      hosts.size > MAX_NESTED_HOSTS ||
      (depth === MAX_NESTED_DEPTH ? level.length > 0 : urls.size + level.length > MAX_NESTED_URLS + 1);
    if (depth < MAX_NESTED_DEPTH) for (const text of level.slice(0, MAX_NESTED_URLS + 1 - urls.size)) urls.add(text);
  }
  return { urls: [...urls] as [string, ...string[]], hosts: [...hosts].slice(0, MAX_NESTED_HOSTS), hasMore };
}

const AUTHORITY = /^[a-z][a-z0-9+.-]*:[\\/]{2,}[^\\/?#]*/i;

/** The parts of a URL in which URLs can stand, decoded: of its path, and of its parameters and its fragment. */
function carriedBy(url: string): { paths: string[]; values: string[] } {
  const rest = url.replace(AUTHORITY, "");
  const [beforeQuery = "", ...after] = rest.split(/[?#&;]/);
  const values = after.map((parameter) => parameter.slice(parameter.indexOf("=") + 1));
  // A URL in the path ends where the path ends, and may have the query.
  const inPath = urlIn(decode(beforeQuery)) === null ? beforeQuery.split("/") : [rest];
  return { paths: inPath.map(decode), values: values.map(decode) };
}

/** A name with a top-level domain, or an address. */
const HOST = /^(?:[^@:[\]]+\.(?:\p{L}{2,}|xn--[a-z\d-]+)|\d+\.\d+\.\d+\.\d+|\[[\da-f:.]+\])\.?$/iu;

/** A URL for a text that is a host without a scheme, which redirectors accept; no URL for any other text and for mail addresses. */
function hostIn(given: string): string[] {
  const text = given.replaceAll(/\s/g, "");
  const [authority = ""] = text.split(/[\\/?#]/, 1);
  const host = authority
    .slice(authority.length === text.length ? 0 : authority.lastIndexOf("@") + 1)
    .replace(/:\d*$/, "");
  return HOST.test(host) ? [`http://${text}`] : [];
}

/** Without percent-encoding, but a URL that was encoded as a part of another one keeps that of its own parts. */
function decode(text: string): string {
  let before = text;
  for (let round = 0; round < MAX_UNESCAPE_ROUNDS && urlIn(before) === null; round++) {
    const after = before.replaceAll(/%([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (after === before) break;
    before = after;
  }
  return before;
}

/** The URL with which the text ends; null: there is none. Browsers read one without a scheme or without slashes as a URL too. */
function urlIn(given: string): string | null {
  // Browsers leave these out (URL Standard, section 4.4).
  const text = given.replaceAll(/[\t\n\r]/g, "");
  const absolute = /https?:[\\/]{1,}[^\\/\s].*$/i.exec(text) ?? /^https?:[^\\/\s%]+\..*$/i.exec(text);
  if (absolute !== null) return absolute[0].replace(/^(https?:)[\\/]*/i, "$1//");
  const relative = /^[\\/]{2,}([^\\/\s]+\.[^\\/\s]+.*)$/.exec(text);
  return relative === null ? null : `http://${relative[1]}`;
}

/** The URL that a text in Base64 begins with; null: it is none. `aHR0c` is `http` in Base64. */
function fromBase64(text: string): string | null {
  const plain = decode(text);
  if (!/^aHR0c[\w+/-]+={0,2}$/.test(plain)) return null;
  try {
    return urlIn(atob(plain.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")));
  } catch {
    return null;
  }
}
