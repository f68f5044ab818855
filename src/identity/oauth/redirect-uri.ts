import { isLoopbackName } from "../../platform/lib/hosts.ts";
import { MAX_REDIRECT_URI_CHARS } from "./limits.ts";

/** Private schemes of well-known clients that are no reversed domain (docs/connect-assistants.md). */
const KNOWN_APP_SCHEMES: ReadonlySet<string> = new Set(["cursor:"]);

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
  if (!text.slice(url.protocol.length).startsWith("/")) return "must have a slash after its scheme";
  // A browser on a page of this service reads `https:/path` as a path of the service.
  if (/^https?:/i.test(text) && !/^https?:\/\/[^/]/i.test(text)) return "must have two slashes and a host after https:";
  return null;
}

/** A domain name in reverse (RFC 8252, 7.1), such as `com.example.app:`. Other schemes open what is no app of the person. */
const APP_SCHEME = /^[a-z]{2,}(?:\.[a-z0-9-]+)+:$/;

/** Returns why nobody is led to a URL with this scheme; null if it is one of a website, of the own machine or of an app. */
export function schemeError({ protocol, hostname }: URL): string | null {
  if (protocol === "https:" || APP_SCHEME.test(protocol) || KNOWN_APP_SCHEMES.has(protocol)) return null;
  if (protocol !== "http:")
    return "must be https, or have a private scheme that is a reversed domain name, such as com.example.app:/callback";
  return isLoopbackName(hostname) ? null : "must be https, except on the person's own machine";
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
