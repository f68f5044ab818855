import ipaddr from "ipaddr.js";

/** The address of every request from another account's Worker. `CF-Worker` names the zone of that Worker. */
const WORKERS_ADDRESS = "2a06:98c0:3600::103";

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
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
