/**
 * The page of a short domain where a browser chooses whether its visits are counted. Its slash keeps it apart from links.
 */
export const OWN_VISITS_PATH = "visits/own";

/**
 * The cookie with the choice. Over https, no other host of the domain can set one with this prefix: it would end the counting of
 * visits for everybody. Browsers refuse the prefix over http, so the choice is for https and for the own machine.
 */
export const uncountedCookieName = (url: string): string =>
  /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url) ? "uncounted" : "__Host-uncounted";

/** Whether the browser chose that its visits of links of this host are not counted. */
export function isUncounted({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  const cookies = headers.get("Cookie");
  return cookies !== null && `; ${cookies};`.includes(`; ${uncountedCookieName(url)}=1;`);
}
