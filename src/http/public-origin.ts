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
