import { MAX_NESTED_DEPTH, MAX_NESTED_URLS, MAX_UNESCAPE_ROUNDS } from "./limits.ts";

// URLs that another URL carries, as redirectors and trackers have them: in a parameter, the path or the fragment, as it is,
// percent-encoded or in Base64.

/** A URL and what it carries. */
export interface NestedUrls {
  /** The URL itself and the URLs in it. */
  urls: [string, ...string[]];
  /** Whether it carries more than is read: more than {@link MAX_NESTED_URLS}, or below {@link MAX_NESTED_DEPTH} levels. */
  hasMore: boolean;
}

export function readNestedUrls(url: string): NestedUrls {
  const found = new Set([url]);
  let level = [url];
  for (let depth = 0; ; depth++) {
    const next = new Set(level.flatMap(carriedBy).filter((text) => !found.has(text)));
    const hasMore = depth === MAX_NESTED_DEPTH ? next.size > 0 : found.size + next.size > MAX_NESTED_URLS + 1;
    if (hasMore || next.size === 0) return { urls: [...found] as [string, ...string[]], hasMore };
    level = [...next];
    for (const text of level) found.add(text);
  }
}

const AUTHORITY = /^[a-z][a-z0-9+.-]*:[\\/]{2,}[^\\/?#]*/i;

/** The URLs that stand in the URL, without those in them. */
function carriedBy(url: string): string[] {
  const rest = url.replace(AUTHORITY, "");
  const [beforeQuery = "", ...after] = rest.split(/[?#&;]/);
  const values = after.map((parameter) => parameter.slice(parameter.indexOf("=") + 1));
  // A URL in the path ends where the path ends, and may have the query.
  const inPath = urlIn(decode(beforeQuery)) === null ? beforeQuery.split("/") : [rest];
  return [
    ...inPath.flatMap((text) => urlIn(decode(text)) ?? fromBase64(text) ?? []),
    ...values.flatMap((text) => urlIn(decode(text)) ?? fromBase64(text) ?? hostIn(decode(text)) ?? []),
  ];
}

/** Endings of files in parameters, none of which is a top-level domain. */
const FILE_ENDING =
  /\.(?:avif|bmp|css|csv|docx?|gif|html?|ico|jpe?g|js|json|jsp|mp3|mp4|pdf|php|png|pptx?|svg|tiff?|txt|wav|webm|webp|woff2?|xlsx?|xml)$/i;

/** The URL of a parameter that is a host without a scheme, as redirectors take it too; null: it is none. Addresses of mails are none. */
function hostIn(given: string): string | null {
  const text = given.trim();
  const [authority = ""] = text.split(/[\\/?#]/, 1);
  const host = authority.replace(/:\d+$/, "");
  const isName = /^[^\s@:]+\.(?:\p{L}{2,}|xn--[a-z\d-]+)\.?$/iu.test(host) && !FILE_ENDING.test(host);
  return isName || /^\d+\.\d+\.\d+\.\d+$/.test(host) ? `http://${text}` : null;
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
