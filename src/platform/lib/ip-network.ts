/** The address of every request from another account's Worker. `CF-Worker` names the zone of that Worker. */
export const WORKERS_ADDRESS = "2a06:98c0:3600::103";

/** The IPv4 address, or the /64 of an IPv6 address: a device changes the rest of it daily, and one subscriber has it. */
export function networkOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.toLowerCase().split("::");
  const groups = before === "" ? [] : before.split(":");
  if (after !== undefined) {
    const rest = after === "" ? [] : after.split(":");
    while (groups.length + rest.length < 8) groups.push("0");
    groups.push(...rest);
  }
  return groups.slice(0, 4).join(":");
}
