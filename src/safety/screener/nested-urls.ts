import { MAX_NESTED_DEPTH, MAX_NESTED_URLS, MAX_UNESCAPE_ROUNDS } from "./limits.ts";

// URLs that another URL carries, as redirectors and trackers have them: in a parameter, the path or the fragment, as it is,
// percent-encoded or in Base64.

/**
 * The URL and the URLs in it, at most {@link MAX_NESTED_URLS}, down to {@link MAX_NESTED_DEPTH} levels. The URL itself is the
 * first.
 */
export function withNestedUrls(url: string): [string, ...string[]] {
  const found = new Set([url]);
  let level = [url];
  for (let depth = 0; depth < MAX_NESTED_DEPTH; depth++) {
    const next: string[] = [];
    for (const text of level.flatMap(carriedBy)) {
      if (found.size > MAX_NESTED_URLS || found.has(text)) continue;
      found.add(text);
      next.push(text);
    }
    level = next;
  }
  return [...found] as [string, ...string[]];
}

const AUTHORITY = /^[a-z][a-z0-9+.-]*:[\\/]{2,}[^\\/?#]*/i;

/** The URLs that stand in the URL, without those in them. */
function carriedBy(url: string): string[] {
  const rest = url.replace(AUTHORITY, "");
  const [beforeQuery = "", ...after] = rest.split(/[?#&;]/);
  const values = after.map((parameter) => parameter.slice(parameter.indexOf("=") + 1));
  // A URL in the path ends where the path ends, and may have the query.
  const inPath = urlIn(decode(beforeQuery)) === null ? beforeQuery.split("/") : [rest];
  return [...inPath, ...values].flatMap((text) => urlIn(decode(text)) ?? fromBase64(text) ?? []);
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
