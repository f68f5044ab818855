/**
 * The page of a short domain where a browser chooses whether its visits are counted. Its slash keeps it apart from links.
 */
export const OWN_VISITS_PATH = "visits/own";

// Not a cookie that another host of the domain can set: it would end the counting of visits for everybody.
const NAME = "uncounted";
const SECURE_NAME = `__Host-${NAME}`;

/** Whether the browser chose that its visits of links of this host are not counted. */
export function isUncounted({ url, headers }: Pick<Request, "url" | "headers">): boolean {
  const cookies = headers.get("Cookie");
  if (cookies === null) return false;
  return (isSecure(url) ? SECURE_COOKIE : COOKIE).test(cookies);
}

const COOKIE = cookieOf(NAME);
const SECURE_COOKIE = cookieOf(SECURE_NAME);

function cookieOf(name: string): RegExp {
  return new RegExp(`(?:^|; ?)${name}=1(?:;|$)`);
}

/** Whether the visitor uses https. Browsers refuse the prefix __Host- over http, as on localhost. */
function isSecure(url: string): boolean {
  return url.startsWith("https:");
}

/** The value of `Set-Cookie` for the choice. */
export function uncountedCookie(url: string, isChosen: boolean, maxAgeSeconds: number): string {
  const [name, secure] = isSecure(url) ? [SECURE_NAME, "; Secure"] : [NAME, ""];
  return `${name}=1; Path=/; Max-Age=${isChosen ? maxAgeSeconds : 0}; HttpOnly; SameSite=Lax${secure}`;
}
