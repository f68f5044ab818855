import { isOwnUrl, withoutRoot } from "../platform/lib/hosts.ts";
import { findUnreadable } from "../platform/lib/unreadable.ts";
import { MAX_URL_CHARS } from "../limits.ts";
import { authorityError } from "./destination-host.ts";
import { because, type Because } from "../platform/http/fault-codes.ts";

/** What says which hosts are the service's own. */
export interface OwnHosts {
  baseUrl: string;
  env: Pick<Env, "ANONYMOUS_HOST">;
}

const TOO_LONG = because("too_long_encoded", { max: MAX_URL_CHARS });
const CONTROL_OR_SPACE = /[\p{Cc}\s]/u;

/**
 * Adds https:// to a destination without a scheme, such as example.com/page. Other texts stay as they are: a text with a
 * colon in front may have the scheme of an app, or one that must be refused, such as javascript:.
 */
export function withScheme(text: string): string {
  return hasDottedHost(text, /^[^:@[\]]+(:\d{1,5})?$/) ? `https://${text}` : text;
}

/** As {@link withScheme}, for destinations that may have the scheme of an app, such as com.acme.app:1. */
export function withSchemeOrApp(text: string): string {
  return hasDottedHost(text, /^[^:@[\]]+$/) ? `https://${text}` : text;
}

/** The URL standard reads backslashes before the query as slashes, so that people see the host that browsers open. */
export function withSlashes(text: string): string {
  return text.replace(/^https?:\/\/[^?#]*/i, (start) => start.replaceAll("\\", "/"));
}

/** Whether the text begins with a host of this form with a dot inside it. */
function hasDottedHost(text: string, form: RegExp): boolean {
  const [host = ""] = text.split(/[/?#\\]/, 1);
  return form.test(host) && /[^.]\.[^.]/.test(URL.parse(`https://${host}`)?.hostname ?? host);
}

/**
 * Returns why the text cannot be a destination, or null. A destination is an absolute http or https URL that a browser can
 * open. Private addresses are allowed, because the visitor's browser opens them and not the service.
 */
export function destinationError(text: string): Because | null {
  const unreadable = unreadableError(text);
  if (unreadable !== null) return unreadable;
  if (!/^https?:\/\//i.test(text)) return because("not_http");
  const error = authorityError(text);
  if (error !== null) return error;
  const url = URL.parse(text);
  if (url === null) return because("not_a_url");
  return Math.max(text.length, url.href.length) > MAX_URL_CHARS ? TOO_LONG : null;
}

function unreadableError(text: string): Because | null {
  if (CONTROL_OR_SPACE.test(text) || !text.isWellFormed()) return because("has_spaces");
  const unreadable = findUnreadable(text);
  return unreadable === null ? null : because("unreadable_character", { value: unreadable.name, at: unreadable.place });
}

// At least two characters: one letter is a Windows drive.
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
// `intent` and the schemes of browsers can open any app or web address, which is not validated.
const BROWSER_SCHEMES = [
  "about|aloha|android-app|arc|brave|chrome(-[^:]+)?|ddg(launch|quicklink)|devtools|dolphin|ecosia|edge|firefox(-[^:]+)?",
  "googlechromes?|googlechrome-[^:]+|ie|intent|microsoft-edge(-[^:]+)?|mttbrowser|onionhttps?|opera(-[^:]+)?|orion|puffins?",
  "samsungbrowser|touch-https?|ucbrowser|vivaldi|x-safari-[^:]+|x-web-search|yandexbrowser(-[^:]+)?|ybrowser",
].join("|");
// The visitor would confirm a payment or a transfer that someone else has filled in.
const PAYMENTS = [
  "alipay(s|qr)?|bhim|bitcoin(cash)?|cashapp|cashme|credpay|dogecoin|ethereum|gpay|lightning|litecoin|mobilepay|monero",
  "payto|paytm(mp)?|phonepe|ripple|solana|squarecash|swish|tez|upi|venmo|vipps|wc|web\\+(lightning|stellar)|zcash",
].join("|");
// The system runs code, opens a file, connects to a server, makes a call, signs in or installs software. `ms-` covers the
// schemes of Windows and Office, which open documents of any server.
const SYSTEM = [
  "afp|app-prefs|app-settings|applescript|blob|callto|cid|cifs|content|data|davs?|ed2k|facetime(-[^:]+)?|feeds?|fido",
  "file|filesystem|ftps?|gopher|https?|itms-services|jar|javascript|ldaps?|livescript|magnet|mailto|mid|mms|mmsto|mocha",
  "moz-extension|ms-[^:]+|news|nfs|nntp|otpauth(-[^:]+)?|package|prefs|rdp|res|resource|rlogin|safari-(web-)?extension",
  "search|search-ms|sftp|shell|shortcuts|sips?|smb|sms|smsto|ssh|tel|telnet|telprompt|urn|vbscript|view-source|vnc",
  "webcals?|workflow|ws|wss|wtai|wyciwyg|x-apple[-.][^:]+|x-help-[^:]+",
].join("|");
const REFUSED_SCHEMES = new RegExp(`^(${BROWSER_SCHEMES}|${PAYMENTS}|${SYSTEM}):`, "i");

/** Returns why the text cannot be a destination for the users of an app, or null. It may be a URL or have the scheme of an app. */
export function appTargetError(text: string): Because | null {
  if (/^https?:/i.test(text)) return destinationError(text);
  const unreadable = unreadableError(text);
  if (unreadable !== null) return unreadable;
  if (!SCHEME.test(text) || REFUSED_SCHEMES.test(text)) return because("refused_scheme");
  const url = URL.parse(text);
  if (url === null) return because("not_an_app_url");
  return url.href.length > MAX_URL_CHARS ? TOO_LONG : null;
}

const WEB = /^https?:$/;

/** Whether the destination is a page of the service itself, which would make a redirect loop. */
export function leadsBack(destination: string, { baseUrl, env }: OwnHosts): boolean {
  const url = new URL(destination);
  return WEB.test(url.protocol) && (isOwnUrl(url, baseUrl) || withoutRoot(url.hostname) === env.ANONYMOUS_HOST);
}
