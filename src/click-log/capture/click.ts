import { QR_PARAMETER } from "../../platform/lib/qr-parameter.ts";
import { MAX_USER_AGENT_CHARS } from "../../limits.ts";
import { MAX_REFERRER_CHARS } from "../limits.ts";

/** Where a click came from, as the request says it. */
export type Origin = [
  /** Scheme and host of the `Referer`. */
  referrer: string,
  country: string,
  region: string,
  city: string,
  continent: string,
  trigger: 0 | typeof QR_TRIGGER,
];

export const ORIGIN_VALUES = 6;

/**
 * A click as a redirect captures it. The address and the user agent are needed until the click is stored, to
 * recognise a visitor's second click; they are never stored.
 */
export type CapturedClick = [
  /** Unix milliseconds. */
  at: number,
  linkId: string,
  /** Null for an anonymous link. */
  accountId: number | null,
  target: ServedTarget,
  /** Null: the visitor is not to be recognised. */
  ip: string | null,
  userAgent: string,
  ...Origin,
];

/** Where the redirect led: one of the link's targets. An object is of one link. */
export interface ServedTarget {
  /** The URL without the visitor's parameters. */
  readonly location: string;
  /** The id of a rule, `ios`, `android` or `country`; undefined for the link's own destination. */
  readonly name?: string;
}

/** `trigger` of a click through a QR code. */
export const QR_TRIGGER = 1;

/** Whether the request counts as a click: not HEAD, and not a prefetch of a browser. */
export function isClick({ method, headers }: Request): boolean {
  return method === "GET" && !isPrefetch(headers);
}

/**
 * Old browsers send `Purpose`, Firefox before version 115 sends `X-Moz`, and the apps of Facebook, which fetch links before
 * they are tapped, send `X-Purpose`. Each counts, also beside an empty `Sec-Purpose`.
 */
const PURPOSES = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"];

function isPrefetch(headers: Headers): boolean {
  return PURPOSES.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? ""));
}

/**
 * Whether nothing is to be stored that tells the visitor from others: the installation respects Global Privacy Control, and the
 * browser sends it.
 */
function isPrivate(headers: Headers, env: PrivacyChoice): boolean {
  return env.NOT_RECORDED.includes("gpc") && headers.get("Sec-GPC") === "1";
}

type PrivacyChoice = Pick<Env, "NOT_RECORDED">;

/** `query` is the raw query string without `?`. */
export function captureClick(
  request: Request,
  query: string,
  link: { id: string; accountId: number | null },
  target: ServedTarget,
  now: number,
  env: PrivacyChoice,
): CapturedClick {
  const { headers } = request;
  const isWithheld = isPrivate(headers, env);
  const cf = request.cf as IncomingRequestCfProperties | undefined;
  return [
    now,
    link.id,
    link.accountId,
    target,
    isWithheld ? null : (headers.get("CF-Connecting-IP") ?? ""),
    (headers.get("User-Agent") ?? "").slice(0, MAX_USER_AGENT_CHARS),
    originOf(headers.get("Referer")),
    cf?.country ?? "",
    isWithheld ? "" : (cf?.regionCode ?? cf?.region ?? ""),
    isWithheld ? "" : (cf?.city ?? ""),
    cf?.continent ?? "",
    query !== "" && isFromQrCode(query) ? QR_TRIGGER : 0,
  ];
}

/** Scheme and host of the referrer, without its path, which may hold private data. */
export function originOf(referrer: string | null): string {
  if (referrer === null) return "";
  const hostAt = referrer.indexOf("//") + 2;
  const pathAt = referrer.indexOf("/", hostAt);
  return referrer.slice(0, pathAt === -1 ? MAX_REFERRER_CHARS : Math.min(pathAt, MAX_REFERRER_CHARS));
}

function isFromQrCode(query: string): boolean {
  return query === QR_PARAMETER || `&${query}&`.includes(`&${QR_PARAMETER}&`);
}
