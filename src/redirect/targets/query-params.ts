import { QR_PARAMETER } from "../../clicks/qr-parameter.ts";

/** Parameters of the visitor. Pure; nothing in a request chooses the destination, it only adds parameters to it. */

/**
 * The destination with the visitor's query parameters added; those that the destination has already
 * win, and the mark of a QR code is not handed on. `query` is the raw query string without `?`. Both are
 * percent-encoded and stay as they are.
 */
export function addQuery(location: string, query: string): string {
  if (query === "") return location;
  const hashAt = location.indexOf("#");
  const beforeHash = hashAt === -1 ? location : location.slice(0, hashAt);
  const hash = hashAt === -1 ? "" : location.slice(hashAt);
  const queryAt = beforeHash.indexOf("?");
  const own = queryAt === -1 ? "" : beforeHash.slice(queryAt + 1);
  const ownNames = new Set(parametersOf(own).map(nameOf));
  const added = parametersOf(query).filter(
    (parameter) => parameter !== QR_PARAMETER && !ownNames.has(nameOf(parameter)),
  );
  if (added.length === 0) return location;
  const separator = queryAt === -1 ? "?" : own === "" || own.endsWith("&") ? "" : "&";
  return beforeHash + separator + added.join("&") + hash;
}

/**
 * The same for an address of an app. Only where it has the form scheme://…: in others, such as spotify:track:1, a
 * question mark may mean something else.
 */
export function addAppQuery(location: string, query: string): string {
  return HIERARCHICAL.test(location) ? addQuery(location, query) : location;
}

const HIERARCHICAL = /^[a-z0-9+.-]+:\/\//;

function parametersOf(query: string): string[] {
  return query.split("&").filter((parameter) => parameter !== "");
}

/** Decoded as URLSearchParams does, which is slower and needed only for what is not well-formed. */
function nameOf(parameter: string): string {
  const [name = ""] = parameter.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    // The & keeps a leading ? from being taken for the query's own.
    const [decoded = ""] = new URLSearchParams(`&${name}`).keys();
    return decoded;
  }
}
