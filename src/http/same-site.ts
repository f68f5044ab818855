import { isNameOf } from "./public-origin.ts";

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
