import { isLoopbackName } from "../lib/hosts.ts";
import { MAX_REDIRECT_URI_CHARS } from "./limits.ts";

/** Schemes that run code, read files or do something else than to open an app of their own. */
const FORBIDDEN_SCHEMES = new Set([
  "about:",
  "blob:",
  "chrome:",
  "data:",
  "file:",
  "filesystem:",
  "ftp:",
  "intent:",
  "javascript:",
  "mailto:",
  "sms:",
  "tel:",
  "vbscript:",
  "view-source:",
  "ws:",
  "wss:",
]);

/**
 * Returns why no client can have this redirect URI; null if one can: https, http on the own machine, or the private scheme of
 * an app (RFC 8252, 7).
 */
export function redirectUriError(text: string): string | null {
  if (text.length > MAX_REDIRECT_URI_CHARS) return `must have at most ${MAX_REDIRECT_URI_CHARS} characters`;
  if (/[\p{Cc}\s\\]/u.test(text) || !text.isWellFormed())
    return "must not have spaces, backslashes or control characters";
  const url = URL.parse(text);
  if (url === null) return "must be an absolute URI";
  if (text.includes("#")) return "must not have a fragment";
  if (url.username !== "" || url.password !== "") return "must not have a user name or password";
  const schemeProblem = schemeError(url);
  if (schemeProblem !== null) return schemeProblem;
  // Otherwise the scheme of a typing error, such as `https.//`, would pass for that of an app.
  if (!text.slice(url.protocol.length).startsWith("/")) return "must have a slash after its scheme";
  return null;
}

/** Returns why nobody is led to a URL with this scheme; null if it is one of a website, of the own machine or of an app. */
export function schemeError({ protocol, hostname }: URL): string | null {
  if (FORBIDDEN_SCHEMES.has(protocol) || protocol.startsWith("ms-")) return `must not be ${protocol}`;
  if (protocol === "http:" && !isLoopbackName(hostname)) return "must be https, except on the person's own machine";
  return null;
}

/**
 * Whether the given URI is the registered one: to the letter, but on the own machine with any port, because an app takes one
 * that is free (RFC 8252, 7.3).
 */
export function matchesRedirectUri(given: string, registered: string): boolean {
  if (given === registered) return true;
  const [url, pattern] = [URL.parse(given), URL.parse(registered)];
  if (url?.protocol !== "http:" || pattern?.protocol !== "http:" || !isLoopbackName(pattern.hostname)) return false;
  return redirectUriError(given) === null && withoutPort(url) === withoutPort(pattern);
}

const withoutPort = ({ hostname, pathname, search }: URL) => `${hostname} ${pathname}${search}`;

/** The URI with these parameters added to its query. */
export function addToUri(uri: string, parameters: Record<string, string | null>): string {
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) added.append(name, value);
  // Not with `URL`, which would write the rest of the URI in another way than it is registered.
  return `${uri}${uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?"}${added.toString()}`;
}
