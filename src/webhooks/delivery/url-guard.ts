import ipaddr from "ipaddr.js";
import { resolveName } from "../../lib/dns.ts";
import { isLoopbackName, isOwnUrl } from "../../lib/hosts.ts";
import { isSpecialName } from "../../lib/special-names.ts";
import { MAX_WEBHOOK_URL_CHARS } from "../../limits.ts";

/**
 * Where webhooks may go: public hosts, and never back to the service. A form that is not clearly public is
 * refused.
 */
export interface UrlGuard {
  /** The service's origin; '': not known. */
  baseUrl: string;
  resolverUrl: string;
  /** Private hosts that are allowed all the same; only on a developer's machine there are any. */
  allowedHosts: ReadonlySet<string>;
  /** Whether this host serves short links of this service besides its own. */
  isVerifiedDomain(host: string): Promise<boolean>;
}

type Variables = Pick<Env, "DNS_OVER_HTTPS_URL" | "WEBHOOK_ALLOWED_PRIVATE_HOSTS">;

/** `baseUrl` is the service's origin; `isVerifiedDomain` is asked once for each host. */
export function createUrlGuard(
  variables: Variables,
  baseUrl: string,
  isVerifiedDomain: UrlGuard["isVerifiedDomain"],
): UrlGuard {
  const known = new Map<string, Promise<boolean>>();
  const allowed = isLocal(baseUrl) ? variables.WEBHOOK_ALLOWED_PRIVATE_HOSTS : "";
  return {
    baseUrl,
    resolverUrl: variables.DNS_OVER_HTTPS_URL,
    allowedHosts: new Set((allowed ?? "").split(",").map((host) => host.trim().toLowerCase())),
    isVerifiedDomain: (host) => {
      const verified = known.get(host) ?? isVerifiedDomain(host);
      known.set(host, verified);
      return verified;
    },
  };
}

/** Whether this is a service on a developer's machine: its own address is a loopback one. */
function isLocal(baseUrl: string): boolean {
  return baseUrl !== "" && isLoopbackName(new URL(baseUrl).hostname);
}

/** Why webhooks may not go to this URL, as far as it shows without asking anyone; null where they may. */
export function urlError(text: string, guard: UrlGuard): string | null {
  if (text.length > MAX_WEBHOOK_URL_CHARS) return `must have at most ${MAX_WEBHOOK_URL_CHARS} characters`;
  if (/[\p{Cc}\s\\]/u.test(text) || !text.isWellFormed())
    return "must not hold spaces, backslashes, control characters or broken Unicode";
  if (!/^https?:\/\//i.test(text)) return "must begin with http:// or https://";
  const url = URL.parse(text);
  if (url === null) return "must be a whole URL, such as https://example.com/hooks";
  if (url.href.length > MAX_WEBHOOK_URL_CHARS)
    return `must have at most ${MAX_WEBHOOK_URL_CHARS} characters, percent-encoding included`;
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  if (isOwnHost(url, guard)) return "must not lead back to this service";
  return guard.allowedHosts.has(url.hostname) || isPublicHost(url.hostname) ? null : notPublic(guard);
}

/** What {@link urlError} says of a private host; how to allow it is said only where that would help. */
export function notPublic(guard: UrlGuard): string {
  const advice = "; for local development, name private hosts in WEBHOOK_ALLOWED_PRIVATE_HOSTS";
  return `must be on a public host, not on a private or internal one${isLocal(guard.baseUrl) ? advice : ""}`;
}

export type Verdict = "allowed" | "blocked" | "own" | "unresolvable";

/** Resolves the name of a URL that {@link urlError} let pass. One address that is not public is enough to block it. */
export async function checkHost(url: URL, guard: UrlGuard): Promise<Verdict> {
  const host = withoutDot(url.hostname);
  if (await guard.isVerifiedDomain(host)) return "own";
  if (guard.allowedHosts.has(url.hostname) || isAddress(host)) return "allowed";
  const addresses = await resolveName(guard.resolverUrl, host).catch(() => []);
  if (addresses.length === 0) return "unresolvable";
  return addresses.every(isPublicAddress) ? "allowed" : "blocked";
}

function isOwnHost(url: URL, { baseUrl, allowedHosts }: UrlGuard): boolean {
  if (baseUrl === "") return false;
  // On a developer's machine, receivers are told from the service by their port.
  if (allowedHosts.has(url.hostname)) return isOwnUrl(url, baseUrl);
  return withoutDot(url.hostname) === withoutDot(new URL(baseUrl).hostname);
}

function isPublicHost(hostname: string): boolean {
  const host = withoutDot(hostname);
  if (isAddress(host)) return isPublicAddress(host);
  const labels = host.split(".");
  return labels.length > 1 && !labels.includes("") && !isSpecialName(host);
}

/** Hostnames are as `URL` gives them: IPv4 in four decimal parts however it was written, IPv6 in brackets. */
function isAddress(host: string): boolean {
  return host.startsWith("[") || ipaddr.IPv4.isValidFourPartDecimal(host);
}

const GLOBAL_UNICAST_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Whether the address is public unicast. IPv6 that carries an IPv4 address (mapped, 6to4, NAT64, Teredo) is not. */
function isPublicAddress(text: string): boolean {
  const address = text.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv6 ? parsed.match(GLOBAL_UNICAST_V6) : true;
}

/** `example.com.` is `example.com`. */
function withoutDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}
