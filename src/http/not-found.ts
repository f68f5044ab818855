import type { Hono, NotFoundHandler } from "hono";
import type { HttpEnv } from "./context.ts";
import { methodNotAllowed, notFound, onError } from "./errors.ts";

/** 405 with `Allow` where the path exists for other methods, 404 elsewhere. */
export function unknownRoute(app: Pick<Hono, "routes">): NotFoundHandler<HttpEnv> {
  return (c) => {
    const methods = methodsOf(app, c.req.path);
    const error =
      methods.length === 0
        ? notFound(`There is no ${c.req.path} here. GET /api/openapi.json lists every path.`)
        : methodNotAllowed(
            `${c.req.path} does not take ${c.req.method}, only ${methods.join(", ")}.`,
            methods.join(", "),
          );
    return onError(error, c);
  };
}

function methodsOf(app: Pick<Hono, "routes">, path: string): string[] {
  const methods = new Set<string>();
  for (const route of app.routes) {
    if (route.method !== "ALL" && matches(route.path, path)) methods.add(route.method);
  }
  if (methods.has("GET")) methods.add("HEAD");
  return [...methods].sort();
}

/** Whether a route's path, with `:name` for one segment, is that of the request. */
function matches(pattern: string, path: string): boolean {
  const expected = pattern.split("/");
  const actual = path.split("/");
  return (
    expected.length === actual.length &&
    expected.every((segment, index) => (segment.startsWith(":") ? actual[index] !== "" : segment === actual[index]))
  );
}
