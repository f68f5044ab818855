import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import type { HttpEnv } from "./context.ts";
import { json } from "./contract.ts";
import { ErrorBody } from "./error-body.ts";

const HEADERS = {
  "X-Request-Id": { description: "Names this request in the service's log.", schema: { type: "string" as const } },
  "X-RateLimit-Limit": {
    description: "Calls allowed in the window of a minute.",
    schema: { type: "integer" as const },
  },
  "X-RateLimit-Remaining": { description: "Calls left in the window.", schema: { type: "integer" as const } },
  "X-RateLimit-Reset": { description: "Seconds until the next place is free.", schema: { type: "integer" as const } },
};

const ERRORS = {
  400: "The request is not valid: `details` says what is wrong with which field.",
  401: "No API key, or one that is wrong, expired or revoked.",
  403: "The key lacks the permission, or the resource belongs to another account.",
  404: "There is no such resource, or it was deleted.",
  413: "The body is too large.",
  415: "The body is not JSON.",
  429: "Too many calls. `Retry-After` says after how many seconds the next is let in.",
  500: "Something went wrong here.",
  503: "The database or another part of the service did not answer.",
} as const;

/** The route with `guards`, a sentence on what it needs, and its errors in its description; its types stay as they are. */
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

/** `createLink` of `Create link`. */
function toOperationId(summary: string): string {
  return summary.toLowerCase().replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The headers that a contract gives for a response itself; contracts give them as plain objects. */
function headersOf(response: RouteConfig["responses"][string]) {
  return "headers" in response ? (response.headers as Record<string, object>) : {};
}

function failure(status: keyof typeof ERRORS) {
  const retryAfter = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" as const } } };
  const headers = status === 429 || status === 503 ? { ...HEADERS, ...retryAfter } : HEADERS;
  return { ...json(ErrorBody, ERRORS[status]), headers };
}

/** A function that gives the OpenAPI 3.1 document of all routes of `app`. It is made once, when it is first asked for. */
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
          "Short links. Times are Unix milliseconds. Every error has the form of `Error`; every answer carries `X-Request-Id`.",
      },
      tags: [
        { name: "Links" },
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
