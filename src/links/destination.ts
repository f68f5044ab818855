import { isOwnUrl } from "../lib/hosts.ts";
import { MAX_URL_CHARS } from "../limits.ts";

const TOO_LONG = `must have at most ${MAX_URL_CHARS} characters, percent-encoding included`;
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
  return url.href.length > MAX_URL_CHARS ? TOO_LONG : null;
}

// Longer than a drive's letter.
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
// What a browser or the system would do itself instead of handing it to an app: run it, show it, call, install. Of
// `intent` too, which may start any app and names a web address of its own.
const REFUSED_SCHEMES = new RegExp(
  `^(${[
    "about|android-app|app-prefs|blob|brave|callto|chrome|chrome-extension|chrome-untrusted|cid|content|data|devtools",
    "edge|facetime|facetime-audio|facetime-prompt|feed|file|filesystem|firefox|ftp|ftps|gopher|http|https|intent",
    "itms-services|jar|javascript|ldap|ldaps|livescript|mailto|mid|mms|mmsto|mocha|moz-extension|ms-appinstaller|ms-msdt|ms-officecmd|ms-settings|news|nntp|opera",
    "prefs|res|resource|safari-extension|safari-web-extension|search|search-ms|sftp|shell|shortcuts|sms|smsto|ssh|tel",
    "telnet|telprompt|urn|vbscript|view-source|vivaldi|webcal|workflow|ws|wss|wtai|wyciwyg",
  ].join("|")}):`,
  "i",
);

/** Why the text cannot be where an app's users go, or null: an https URL, or an address with the scheme of an app. */
export function appTargetError(text: string): string | null {
  if (/^https?:/i.test(text)) return destinationError(text);
  if (CONTROL_OR_SPACE.test(text) || !text.isWellFormed())
    return "must not hold spaces, control characters or broken Unicode";
  if (!SCHEME.test(text) || REFUSED_SCHEMES.test(text))
    return "must begin with https:// or the scheme of an app, such as acme:; what browsers or the system handle themselves (javascript:, intent:, tel: and the like) is refused";
  const url = URL.parse(text);
  if (url === null) return "must be a whole address, such as acme://spring";
  return url.href.length > MAX_URL_CHARS ? TOO_LONG : null;
}

const WEB = /^https?:$/;

/** Whether following the destination would come back to the service: a loop. */
export function leadsBack(destination: string, baseUrl: string): boolean {
  const url = new URL(destination);
  return WEB.test(url.protocol) && isOwnUrl(url, baseUrl);
}
