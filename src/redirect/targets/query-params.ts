import { QR_PARAMETER } from "../../platform/lib/qr-parameter.ts";

// The visitor's query parameters. Pure. A request adds parameters to a destination and never chooses it.

/** The query that a request hands on to the destinations of a link. '': the link keeps parameters away from them. */
export function handedOn({ passParameters }: { passParameters: boolean }, { url }: { url: { query: string } }): string {
  return passParameters ? url.query : "";
}

/**
 * Adds the visitor's query parameters to the destination. Parameters that the destination has already win, and the
 * parameter of QR codes is dropped. `query` is the raw query string without `?`. Percent-encoding stays as it is.
 */
export function addQuery(location: string, query: string): string {
  if (query === "") return location;
  const hashAt = location.indexOf("#");
  const beforeHash = hashAt === -1 ? location : location.slice(0, hashAt);
  const hash = hashAt === -1 ? "" : location.slice(hashAt);
  const queryAt = beforeHash.indexOf("?");
  const own = queryAt === -1 ? "" : beforeHash.slice(queryAt + 1);
  const ownNames = new Set(splitParameters(own).map(decodeName));
  const added = splitParameters(query).filter(
    (parameter) => parameter !== QR_PARAMETER && !ownNames.has(decodeName(parameter)),
  );
  if (added.length === 0) return location;
  const separator = queryAt === -1 ? "?" : own === "" || own.endsWith("&") ? "" : "&";
  return beforeHash + separator + added.join("&") + hash;
}

/**
 * Adds the visitor's query parameters to an app's URL of the form scheme://…. In other forms, such as spotify:track:1, a
 * question mark can mean something else.
 */
export function addAppQuery(location: string, query: string): string {
  return HIERARCHICAL.test(location) ? addQuery(location, query) : location;
}

const HIERARCHICAL = /^[a-z0-9+.-]+:\/\//;

function splitParameters(query: string): string[] {
  return query.split("&").filter((parameter) => parameter !== "");
}

/** The parameter's name as URLSearchParams decodes it. That class is slower and used only for malformed names. */
function decodeName(parameter: string): string {
  const [name = ""] = parameter.split("=", 1);
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    // URLSearchParams drops a leading question mark; the & prevents that.
    const [decoded = ""] = new URLSearchParams(`&${name}`).keys();
    return decoded;
  }
}
