import { isOwnUrl, withoutRoot } from "../platform/lib/hosts.ts";
import type { Brand } from "./lookup/domain-entry.ts";

/** The parts of a request's URL that routing needs. Cut from the text, because every redirect does it. */
export interface RequestUrl {
  /** '' for the service domain, else the host as domains are stored: lower case, without port and trailing dot. */
  domain: string;
  /** Without the leading slash, percent-encoded. */
  path: string;
  /** Without the question mark. */
  query: string;
}

/** A request for something outside the API. */
export interface IncomingRequest {
  request: Request;
  requestId: string;
  url: RequestUrl;
  /** Of the form for reports, on the service domain, without the leading slash; null: there is none. */
  reportPath: string | null;
  /** Of its custom domain. Only requests that are answered with a page have it. */
  brand?: Brand;
}

/** `baseUrl` is the service's origin, or '' if every host is the service's own. */
export function parseRequestUrl(url: string, baseUrl: string): RequestUrl {
  const hostAt = url.indexOf("//") + 2;
  const pathAt = url.indexOf("/", hostAt);
  const queryAt = url.indexOf("?", pathAt);
  const own = baseUrl === "" || (pathAt === baseUrl.length && url.startsWith(baseUrl));
  return {
    domain: own ? "" : parseDomain(url, baseUrl),
    path: queryAt === -1 ? url.slice(pathAt + 1) : url.slice(pathAt + 1, queryAt),
    query: queryAt === -1 ? "" : url.slice(queryAt + 1),
  };
}

/** Stands for a Host header that is not a host name, for example one with a space. No account can own it. */
const INVALID_DOMAIN = "invalid";

function parseDomain(url: string, baseUrl: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return INVALID_DOMAIN;
  return isOwnUrl(parsed, baseUrl) ? "" : withoutRoot(parsed.hostname);
}
