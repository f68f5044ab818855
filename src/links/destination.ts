import { isOwnUrl } from "../lib/hosts.ts";
import { MAX_URL_CHARS } from "../limits.ts";

const CONTROL_OR_SPACE = /[\p{Cc}\s]/u;

/**
 * Why the text cannot be a destination, or null where it can: an absolute http or https URL. Private
 * addresses are fine: it is the visitor's browser that goes there.
 */
export function destinationError(text: string): string | null {
  if (CONTROL_OR_SPACE.test(text) || !text.isWellFormed())
    return "must not hold spaces, control characters or broken Unicode";
  if (!/^https?:\/\//i.test(text)) return "must begin with http:// or https://";
  const url = URL.parse(text);
  if (url === null) return "must be a whole URL, such as https://example.com/page";
  if (url.href.length > MAX_URL_CHARS)
    return `must have at most ${MAX_URL_CHARS} characters, percent-encoding included`;
  return null;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
// Browsers would run these or open them on the visitor's machine instead of handing them to an app.
const REFUSED_SCHEMES =
  /^(about|blob|chrome|chrome-extension|data|edge|file|filesystem|ftp|http|javascript|jar|mailto|moz-extension|resource|sms|tel|vbscript|view-source|ws|wss):/i;

/** Why the text cannot be where an app's users go, or null: an https URL, or an address with the scheme of an app. */
export function appTargetError(text: string): string | null {
  if (/^https?:/i.test(text)) return destinationError(text);
  if (CONTROL_OR_SPACE.test(text) || !text.isWellFormed())
    return "must not hold spaces, control characters or broken Unicode";
  if (!SCHEME.test(text) || REFUSED_SCHEMES.test(text))
    return "must begin with https:// or the scheme of an app, such as acme:";
  return URL.canParse(text) ? null : "must be a whole address, such as acme://spring";
}

/** Whether following the destination would come back to the service: a loop. */
export function leadsBack(destination: string, baseUrl: string): boolean {
  return isOwnUrl(new URL(destination), baseUrl);
}
