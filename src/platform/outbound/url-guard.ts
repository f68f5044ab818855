import ipaddr from "ipaddr.js";
import { resolveName } from "../lib/dns.ts";
import { isInWranglerDev, isLoopbackName, isOwnUrl, withoutRoot } from "../lib/hosts.ts";
import { findUnreadable } from "../lib/unreadable.ts";
import { isValidPunycode } from "../lib/punycode.ts";
import { isSpecialName } from "../lib/domain-names.ts";
import { MAX_OUTBOUND_URL_CHARS, MIN_OUTBOUND_HIGH_PORT } from "./limits.ts";
import { isVerifiedDomain } from "./store.ts";
import { because, type Because } from "../http/faults.ts";

/** Restricts the calls of the service to public hosts other than its own. A host that is not clearly public is refused. */
export interface UrlGuard {
  /** The service's origin; '': unknown. */
  baseUrl: string;
  resolverUrl: string;
  /** Private hosts that are allowed. Empty except on a developer's machine. */
  allowedHosts: ReadonlySet<string>;
  /** Whether the host is a custom domain of this service, or `ANONYMOUS_HOST`. */
  isVerifiedDomain(host: string): Promise<boolean>;
}

/**
 * The guard of this installation. Its configuration alone decides whether private hosts are allowed, so that a webhook is
 * created, pinged and called by the same rule: a request can name any host as that of the service. `baseUrl` is the service's
 * origin, also as the request names it if there is no `BASE_URL`; '': unknown.
 */
export function guardOf(env: Env, baseUrl: string): UrlGuard {
  const isDevelopment = env.BASE_URL === "" && isInWranglerDev(env);
  return { ...createUrlGuard(env, isDevelopment ? "http://localhost" : env.BASE_URL), baseUrl };
}

type Variables = Pick<Env, "ANONYMOUS_HOST" | "DNS_OVER_HTTPS_URL" | "WEBHOOK_ALLOWED_PRIVATE_HOSTS">;

/** Creates the guard of the service at `baseUrl`. It looks up each verified domain once. */
export function createUrlGuard(
  env: Variables & Pick<Env, "DB">,
  baseUrl: string,
  isVerified: UrlGuard["isVerifiedDomain"] = (host) => isVerifiedDomain(env.DB, host),
): UrlGuard {
  const known = new Map<string, Promise<boolean>>();
  const allowed = isLocal(baseUrl) ? env.WEBHOOK_ALLOWED_PRIVATE_HOSTS : "";
  return {
    baseUrl,
    resolverUrl: env.DNS_OVER_HTTPS_URL,
    allowedHosts: new Set((allowed ?? "").split(",").map((host) => host.trim().toLowerCase())),
    isVerifiedDomain: (host) => {
      const verified = known.get(host) ?? (host === env.ANONYMOUS_HOST ? Promise.resolve(true) : isVerified(host));
      known.set(host, verified);
      return verified;
    },
  };
}

/** Whether the service runs on a developer's machine: its origin is a loopback address. */
function isLocal(baseUrl: string): boolean {
  return baseUrl !== "" && isLoopbackName(new URL(baseUrl).hostname);
}

/** Returns why the service may not call this URL, without resolving its name; null if they may. */
export function urlError(text: string, guard: UrlGuard): Because | null {
  if (text.length > MAX_OUTBOUND_URL_CHARS) return because("too_long", { max: MAX_OUTBOUND_URL_CHARS });
  if (/[\p{Cc}\s\\]/u.test(text) || !text.isWellFormed() || findUnreadable(text) !== null)
    return because("has_spaces_or_backslashes");
  if (!/^https?:\/\//i.test(text)) return because("not_http");
  const url = URL.parse(text);
  if (url === null) return because("not_a_url");
  if (url.href.length > MAX_OUTBOUND_URL_CHARS) return because("too_long_encoded", { max: MAX_OUTBOUND_URL_CHARS });
  if (url.username !== "" || url.password !== "") return because("has_credentials");
  if (!isValidPunycode(withoutRoot(url.hostname))) return because("wrong_punycode");
  if (!isAllowedPort(url.port)) return because("refused_outbound_port", { min: MIN_OUTBOUND_HIGH_PORT });
  if (isOwnHost(url, guard)) return because("leads_back");
  return guard.allowedHosts.has(url.hostname) || isPublicHost(url.hostname) ? null : notPublic(url, guard);
}

/** The error for a private host. On a developer's machine it also names the option that allows one. */
export function notPublic({ hostname, origin, pathname }: URL, { baseUrl }: UrlGuard): Because {
  const listen = `tern listen --forward-to ${origin}${pathname} brings the events to a program on your machine`;
  const option = `, or start Tern with npm start -- --var WEBHOOK_ALLOWED_PRIVATE_HOSTS:${hostname}`;
  return because("private_host", { example: `${listen}${isLocal(baseUrl) ? option : ""}` });
}

export type Verdict = "allowed" | "blocked" | "own" | "unresolvable";

/** Resolves the host of a URL that passed {@link urlError}. A single address that is not public blocks it. */
export async function checkHost(url: URL, guard: UrlGuard): Promise<Verdict> {
  const host = withoutRoot(url.hostname);
  if (await guard.isVerifiedDomain(host)) return "own";
  if (guard.allowedHosts.has(url.hostname) || isAddress(host)) return "allowed";
  // A failed lookup counts as no address: the records that are unknown may be private.
  const addresses = await resolveName(guard.resolverUrl, host).catch(() => []);
  if (addresses.length === 0) return "unresolvable";
  return addresses.every(isPublicAddress) ? "allowed" : "blocked";
}

/** `URL` leaves out the default port of the scheme. */
function isAllowedPort(port: string): boolean {
  return ["", "80", "443"].includes(port) || Number(port) >= MIN_OUTBOUND_HIGH_PORT;
}

function isOwnHost(url: URL, { baseUrl, allowedHosts }: UrlGuard): boolean {
  if (baseUrl === "") return false;
  // On a developer's machine, receivers differ from the service by their port only.
  if (allowedHosts.has(url.hostname) || isLocal(baseUrl)) return isOwnUrl(url, baseUrl);
  return withoutRoot(url.hostname) === withoutRoot(new URL(baseUrl).hostname);
}

function isPublicHost(hostname: string): boolean {
  const host = withoutRoot(hostname);
  if (isAddress(host)) return isPublicAddress(host);
  const labels = host.split(".");
  return labels.length > 1 && !labels.includes("") && !isSpecialName(host);
}

/** `URL` has normalised the hostname: IPv4 has four decimal parts, IPv6 has brackets. */
function isAddress(host: string): boolean {
  return host.startsWith("[") || ipaddr.IPv4.isValidFourPartDecimal(host);
}

const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Whether the address is public unicast. An IPv6 address that embeds an IPv4 one (mapped, 6to4, NAT64, Teredo) is not. */
function isPublicAddress(text: string): boolean {
  const address = text.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_UNICAST_V6) : true;
}
