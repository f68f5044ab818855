import { QR_PARAMETER } from "../qr-parameter.ts";
import { MAX_USER_AGENT_CHARS, MAX_REFERRER_CHARS } from "../../limits.ts";

/**
 * What a redirect writes down of somebody who follows a link. It lives until it is counted: the address
 * and the user agent are needed to tell visitors and browsers apart, and are not stored.
 */
export type CapturedClick = [
  /** Unix milliseconds. */
  at: number,
  linkId: string,
  /** Null for a link that belongs to nobody. */
  accountId: number | null,
  ip: string,
  userAgent: string,
  /** The `Referer` up to its path. */
  referrer: string,
  country: string,
  region: string,
  city: string,
  continent: string,
  trigger: 0 | 1,
];

/** `trigger` of a visit through a QR code. */
export const BY_QR = 1;

/** Whether the request may be somebody following the link: not a look at its headers, not a browser that prepares for a click. */
export function isClick(request: Request): boolean {
  return request.method === "GET" && !isAhead(request.headers.get("Sec-Purpose") ?? request.headers.get("Purpose"));
}

function isAhead(purpose: string | null): boolean {
  return purpose !== null && /prefetch|prerender|preview/i.test(purpose);
}

/** `query` is the raw query string without `?`. */
export function captureClick(
  request: Request,
  query: string,
  link: { id: string; accountId: number | null },
  now: number,
): CapturedClick {
  const { headers } = request;
  const place = request.cf as IncomingRequestCfProperties | undefined;
  return [
    now,
    link.id,
    link.accountId,
    headers.get("CF-Connecting-IP") ?? "",
    (headers.get("User-Agent") ?? "").slice(0, MAX_USER_AGENT_CHARS),
    originOf(headers.get("Referer")),
    place?.country ?? "",
    oneLine(place?.regionCode ?? place?.region ?? ""),
    oneLine(place?.city ?? ""),
    place?.continent ?? "",
    query !== "" && isByQr(query) ? BY_QR : 0,
  ];
}

/** Scheme and host of the address, without looking closer: what it looked at is nobody's business. */
export function originOf(referrer: string | null): string {
  if (referrer === null) return "";
  const hostAt = referrer.indexOf("//") + 2;
  const pathAt = referrer.indexOf("/", hostAt);
  return referrer.slice(0, pathAt === -1 ? MAX_REFERRER_CHARS : Math.min(pathAt, MAX_REFERRER_CHARS));
}

function isByQr(query: string): boolean {
  return query === QR_PARAMETER || `&${query}&`.includes(`&${QR_PARAMETER}&`);
}

/** Without what parts the values in a message. No header has a line break, and none stands where its tab would part it. */
function oneLine(text: string): string {
  return /[\n\t]/.test(text) ? text.replaceAll(/[\n\t]/g, " ") : text;
}
