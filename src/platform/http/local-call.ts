import ipaddr from "ipaddr.js";
import type { Context } from "hono";
import { isLoopbackName } from "../lib/hosts.ts";
import type { HttpEnv } from "./context.ts";

/**
 * Whether the request comes from the machine that the service runs on. No header proves it, because a caller can write all
 * of them. So `WRANGLER_DEV` says where the server listens beyond this machine (tools/scripts/local-routes.ts).
 */
export function isLocalCall<E extends HttpEnv>(c: Context<E>): boolean {
  if (/\bnetwork\b/.test(c.env.WRANGLER_DEV)) return false;
  const client = c.req.header("CF-Connecting-IP") ?? "127.0.0.1";
  const hosts = [c.get("context").baseUrl, c.req.url].map((url) => new URL(url).hostname);
  return hosts.every(isLoopbackName) && isLoopbackAddress(client);
}

/** 127.0.0.0/8, also as an IPv6 address, and ::1. */
function isLoopbackAddress(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === "loopback";
}
