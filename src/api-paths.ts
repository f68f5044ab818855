import { RATE_LIMITS } from "./rate-limits.ts";

/**
 * The API's path that a path without /api or with a version (`/links`, `/v1/links/…`, `/api/v2/links`) was probably meant
 * to be, with its methods. Null if the API has no such path.
 */
export function findApiPath(path: string): { path: string; methods: string[] } | null {
  const given = path
    .replace(/^\/|\/$/g, "")
    .replace(/^api\//, "")
    .replace(/^v\d+\//, "");
  const segments = ["api", ...given.split("/")];
  const methods = new Set<string>();
  for (const operation of Object.keys(RATE_LIMITS)) {
    const [method = "", pattern = ""] = operation.split(" ");
    if (matches(segments, pattern.slice(1).split("/"))) methods.add(method);
  }
  return methods.size === 0 ? null : { path: `/${segments.join("/")}`, methods: [...methods] };
}

function matches(segments: readonly string[], pattern: readonly string[]): boolean {
  if (segments.length !== pattern.length) return false;
  return pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]));
}

/** Such as "The API is under /api: POST /api/links." */
export function describeApiPath(method: string, { path, methods }: { path: string; methods: string[] }): string {
  const call = methods.includes(method) ? `${method} ${path}` : `${path} takes ${methods.join(", ")}`;
  return `The API is under /api: ${call}.`;
}
