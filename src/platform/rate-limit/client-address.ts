import ipaddr from "ipaddr.js";
import { WORKERS_ADDRESS } from "../lib/ip-network.ts";

/**
 * The client that a call is counted for: its IPv4 address, or the /64 of its IPv6 address, which one subscriber has. Only
 * the header that Cloudflare sets is read, because clients can write anything into `X-Forwarded-For`.
 */
export function clientName(headers: Headers): string {
  const address = headers.get("CF-Connecting-IP") ?? "";
  if (address === WORKERS_ADDRESS) return `worker:${headers.get("CF-Worker") ?? ""}`;
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return toNetwork(parsed.toString(), 64);
}

/** The /48 of an IPv6 address, which one customer of a hosting provider can have. Null for other clients. */
export function networkName(headers: Headers): string | null {
  const parsed = parseAddress(headers);
  return parsed === null || parsed.kind() === "ipv4" ? null : toNetwork(parsed.toString(), 48);
}

/** The /48 of an IPv6 address, or the /24 of an IPv4 address, the smallest network that is routed. Null for other clients. */
export function routedNetworkName(headers: Headers): string | null {
  const parsed = parseAddress(headers);
  if (parsed?.kind() !== "ipv4") return networkName(headers);
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`;
}

/** The client's address; null for Workers, which share one, and without a valid one. */
function parseAddress(headers: Headers): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const address = headers.get("CF-Connecting-IP") ?? "";
  return address === WORKERS_ADDRESS || !ipaddr.isValid(address) ? null : ipaddr.process(address);
}

function toNetwork(address: string, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`;
}
