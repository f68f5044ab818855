import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import type { HttpEnv } from "./context.ts";
import { json } from "./contract.ts";
import { ErrorBody } from "./error-body.ts";

const HEADERS = {
  "X-Request-Id": { description: "The request's id in the service's log.", schema: { type: "string" as const } },
  "X-RateLimit-Limit": {
    description: "Maximum number of calls in a window of one minute.",
    schema: { type: "integer" as const },
  },
  "X-RateLimit-Remaining": { description: "Remaining calls in the window.", schema: { type: "integer" as const } },
  "X-RateLimit-Reset": { description: "Seconds until another call is allowed.", schema: { type: "integer" as const } },
};

const ERRORS = {
  400: "The request is not valid. `details` lists the invalid fields.",
  401: "The API key is missing, invalid, expired or revoked.",
  403: "The key lacks the permission, or the resource belongs to another account.",
  404: "The resource does not exist or was deleted.",
  413: "The body is too large.",
  415: "The body is not JSON.",
  429: "Too many calls. `Retry-After` is the time in seconds until the next call is allowed.",
  500: "An unexpected error occurred.",
  503: "The database or another part of the service did not respond.",
} as const;

/** Adds to a route's documentation its errors, its headers and `guards`, a sentence on permission and rate limit. */
export function describeRoute<R extends RouteConfig>(route: R, guards: string): R {
  const { body, params } = route.request ?? {};
  const statuses: (keyof typeof ERRORS)[] = [400, 429, 500, 503];
  if (route.security?.length !== 0) statuses.push(401, 403);
  if (params !== undefined) statuses.push(404);
  if (body !== undefined) statuses.push(413, 415);
  const successes = Object.entries(route.responses).map(([status, response]) => [
    status,
    { ...response, headers: { ...headersOf(response), ...HEADERS } },
  ]);
  const failures = statuses.map((status) => [status, failure(status)]);
  return {
    ...route,
    operationId: toOperationId(route.summary ?? ""),
    description: [route.description, guards].filter(Boolean).join(" "),
    security: route.security ?? [{ apiKey: [] }],
    responses: Object.fromEntries([...failures, ...successes]),
  };
}

/** `Create link` becomes `createLink`. */
function toOperationId(summary: string): string {
  return summary.toLowerCase().replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The headers in a contract's response. Contracts use plain objects for them. */
function headersOf(response: RouteConfig["responses"][string]) {
  return "headers" in response ? (response.headers as Record<string, object>) : {};
}

function failure(status: keyof typeof ERRORS) {
  const retryAfter = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" as const } } };
  const headers = status === 429 || status === 503 ? { ...HEADERS, ...retryAfter } : HEADERS;
  return { ...json(ErrorBody, ERRORS[status]), headers };
}

/** Returns a function for the OpenAPI 3.1 document of all routes of `app`. The document is created at the first call. */
export function openApiDocument(app: OpenAPIHono<HttpEnv>): (baseUrl: string) => object {
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description: "An API key: svc_sk_live_ and 64 hexadecimal characters. Keep it out of web pages and apps.",
  });
  let document: object | undefined;
  return (baseUrl) => {
    document ??= app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Tern",
        version: "1.0.0",
        description:
          "Short links. Times are Unix milliseconds. Every error has the form of `Error`. Every response has an `X-Request-Id`.",
      },
      tags: [
        { name: "Links" },
        { name: "Tags" },
        { name: "Jobs" },
        { name: "Clicks" },
        { name: "QR codes" },
        { name: "Deep links" },
        { name: "Keys" },
        { name: "Domains" },
        { name: "Webhooks" },
        { name: "Operation" },
        { name: "Redirects" },
      ],
    });
    return { ...document, servers: [{ url: baseUrl }] };
  };
}
