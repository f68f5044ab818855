import ipaddr from "ipaddr.js";

/** Requests that other people's Workers make all come from this address; `CF-Worker` names whose they are. */
const WORKERS_ADDRESS = "2a06:98c0:3600::103";

/**
 * Who a request counts for: its IP address, of IPv6 the /64 that one subscriber has. Only the header
 * that Cloudflare sets itself is read: clients write what they like into `X-Forwarded-For`.
 */
export function clientOf(headers: Headers): string {
  const address = headers.get("CF-Connecting-IP") ?? "";
  if (address === WORKERS_ADDRESS) return `worker:${headers.get("CF-Worker") ?? ""}`;
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}
