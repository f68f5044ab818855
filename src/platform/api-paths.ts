/** A path of the API, with the methods that it takes. */
export interface ApiPath {
  path: string;
  methods: string[];
}

/**
 * The API's path that a path without /api or with a version (`/links`, `/v1/links/…`, `/api/v2/links`) was probably meant
 * to be. Null if the API has no such path. `operations` are those of the API, such as `GET /api/links/:id`.
 */
export function findApiPath(given: string, operations: readonly string[]): ApiPath | null {
  const segments = ["api", ...segmentsOf(given)];
  const methods = new Set<string>();
  for (const operation of operations) {
    const [method = "", pattern = ""] = operation.split(" ");
    if (matches(segments, pattern.slice(1).split("/"))) methods.add(method);
  }
  return methods.size === 0 ? null : { path: `/${segments.join("/")}`, methods: [...methods] };
}

/** The segments of a path of the API after `api`, such as `links` and an id. */
export function segmentsOf(path: string): string[] {
  return path
    .replace(/^\/|\/$/g, "")
    .replace(/^api\//, "")
    .replace(/^v\d+\//, "")
    .split("/");
}

function matches(segments: readonly string[], pattern: readonly string[]): boolean {
  if (segments.length !== pattern.length) return false;
  return pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]));
}

/** Such as "The API is under /api: POST /api/links." */
export function describeApiPath(method: string, { path, methods }: ApiPath): string {
  const call = methods.includes(method) ? `${method} ${path}` : `${path} takes ${methods.join(", ")}`;
  return `The API is under /api: ${call}.`;
}
