import { withoutRoot } from "./hosts.ts";

/** An IPv6 address with an IPv4 address (RFC 4291, 2.5.5; RFC 6052, 2.1), as `URL` writes it. */
const WITH_IPV4 = /^\[(?:::ffff:(?:0:)?([\da-f]+):|64:ff9b::(?:([\da-f]+):)?)([\da-f]*)\]$/;

const bytesOf = (group: number) => [group >> 8, group & 0xff];

/** The host of an http or https URL, of an IPv6 address the IPv4 address in it if there is one. '' for any other text. */
export function hostOf(url: string): string {
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  const name = withoutRoot(parsed?.hostname ?? "");
  const [, high, otherHigh, low] = WITH_IPV4.exec(name) ?? [];
  if (low === undefined) return name;
  return [high ?? otherHigh ?? "", low].flatMap((hex) => bytesOf(Number.parseInt(hex || "0", 16))).join(".");
}
