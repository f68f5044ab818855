import { isOwnUrl } from "../lib/hosts.ts";

/** The parts of a request's URL that decide who answers it; cut from the text, since every redirect does it. */
export interface RequestUrl {
  /** '' for the service's own domain, else the host as domains are stored: in lower case, without port and trailing dot. */
  domain: string;
  /** Without the leading slash, percent-encoded. */
  path: string;
  /** Without the question mark. */
  query: string;
}

/** A request as the Worker takes it in. */
export interface Incoming {
  request: Request;
  requestId: string;
  address: RequestUrl;
}

/** `baseUrl` is the service's origin, or '' where every host is its own. */
export function parseRequestUrl(url: string, baseUrl: string): RequestUrl {
  const hostAt = url.indexOf("//") + 2;
  const pathAt = url.indexOf("/", hostAt);
  const queryAt = url.indexOf("?", pathAt);
  const own = baseUrl === "" || (pathAt === baseUrl.length && url.startsWith(baseUrl));
  return {
    domain: own ? "" : readDomain(url, baseUrl),
    path: queryAt === -1 ? url.slice(pathAt + 1) : url.slice(pathAt + 1, queryAt),
    query: queryAt === -1 ? "" : url.slice(queryAt + 1),
  };
}

// What a Host header that names no host, such as one with a space, is taken for: nobody can have it.
const NO_DOMAIN = "invalid";

function readDomain(url: string, baseUrl: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return NO_DOMAIN;
  return isOwnUrl(parsed, baseUrl) ? "" : parsed.hostname.replace(/\.$/, "");
}
