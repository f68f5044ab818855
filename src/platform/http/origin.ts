import type { Context } from "hono";
import { isLoopbackName } from "../lib/hosts.ts";
import type { HttpEnv } from "./context.ts";

/**
 * The service's origin as the client of the request names it. It differs from `BASE_URL` only on this machine, which has several
 * names: clients of OAuth compare what the service calls itself with what they asked.
 */
export function publicOrigin<E extends HttpEnv>(c: Context<E>): string {
  const { baseUrl } = c.get("context");
  const { origin } = new URL(c.req.url);
  return isNameOf(origin, baseUrl) ? origin : baseUrl;
}

/** Whether the origin is `baseUrl`, or another loopback name of it with the same scheme and port. */
export function isNameOf(origin: string, baseUrl: string): boolean {
  const [given, own] = [new URL(origin), new URL(baseUrl)];
  if (given.origin === own.origin) return true;
  const isLocal = isLoopbackName(given.hostname) && isLoopbackName(own.hostname);
  return isLocal && given.protocol === own.protocol && given.port === own.port;
}

/**
 * Whether the service's own pages sent the request. Browsers send `Origin` with every request that changes something, and
 * no page can change it. `Sec-Fetch-Site` stands in where it is missing. `baseUrl` is the service's origin.
 */
export function isSameSite(headers: Headers, baseUrl: string): boolean {
  const origin = headers.get("Origin");
  if (origin === null) return headers.get("Sec-Fetch-Site") === "same-origin";
  const given = URL.parse(origin);
  // The text of an origin has nothing but scheme, host and port.
  return given !== null && given.origin === origin && isNameOf(origin, baseUrl);
}
