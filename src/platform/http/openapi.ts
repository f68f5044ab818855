import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import { SCOPES } from "../auth/scopes.ts";
import type { HttpEnv } from "./context.ts";
import { ErrorBody } from "./error-body.ts";
import {
  CALL_HEADERS,
  errorRef,
  errorResponses,
  componentName,
  RESPONSE_HEADERS,
  REFUSED_REF,
  REPLAY_HEADER,
  REQUEST_ID_HEADER,
  type ErrorStatus,
} from "./openapi-components.ts";
import { withoutOperations, type Document } from "./openapi-operations.ts";
import { shareParameters } from "./openapi-parameters.ts";
import { correctUses } from "./openapi-uses.ts";

/** Adds to a route's documentation its errors, its headers and `guards`, a sentence on permission and rate limit. */
export function describeRoute<R extends RouteConfig>(route: R, guards: string): R {
  const { body, params } = route.request ?? {};
  const statuses: ErrorStatus[] = [400, 429, 500, 503];
  if (route.security?.length !== 0) statuses.push(401, 403);
  if (params !== undefined) statuses.push(404);
  if (body !== undefined) statuses.push(413, 415);
  const errors = statuses.map((status) => [status, errorRef(status)]);
  return {
    ...route,
    operationId: toOperationId(route.summary ?? ""),
    description: [route.description, guards].filter(Boolean).join(" "),
    security: route.security ?? [{ apiKey: [] }, { session: [] }],
    responses: {
      ...Object.fromEntries(errors),
      ...withHeaders(route, isRepeatable(route) ? { ...CALL_HEADERS, ...REPLAY_HEADER } : CALL_HEADERS),
    },
  };
}

/** The same for a route outside the API, which needs no key and has no rate limit headers. */
export function describePublicRoute<R extends RouteConfig>(route: R): R {
  const operationId = toOperationId(route.summary ?? "");
  return { ...route, operationId, security: [], responses: withHeaders(route, REQUEST_ID_HEADER) };
}

function isRepeatable({ request }: RouteConfig): boolean {
  const headers = request?.headers;
  return headers !== undefined && "shape" in headers && "idempotency-key" in headers.shape;
}

/** `Create link` becomes `createLink`. */
function toOperationId(summary: string): string {
  return summary.toLowerCase().replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The route's responses, with these headers besides their own. */
function withHeaders({ responses }: RouteConfig, headers: Record<string, object>): RouteConfig["responses"] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      "$ref" in response ? response : shareError({ ...response, headers: { ...headers, ...headersOf(response) } }),
    ]),
  ) as RouteConfig["responses"];
}

/** An error that differs from others only in its description refers to the one component for them. */
function shareError<R extends { description?: string; content?: object; headers: object }>(response: R) {
  const { description, content = {}, headers } = response;
  const [[type, media] = [], ...others] = Object.entries(content);
  const isError = type === "application/json" && media.schema === ErrorBody && others.length === 0;
  const isShared = isError && Object.keys(headers).join() === Object.keys(CALL_HEADERS).join();
  return isShared ? { ...REFUSED_REF, description } : response;
}

/** The headers in a contract's response. Contracts use plain objects for them. */
function headersOf(response: RouteConfig["responses"][string]) {
  return "headers" in response ? (response.headers as Record<string, object>) : {};
}

const TAGS = {
  Links: "Short links: create, find, change and delete them, one at a time or in bulk.",
  "UTM templates": "Campaign parameters by name, to fill in the `utm` of links.",
  Tags: "The tags of links: list, rename and delete them on all links.",
  Bulk: "Changes of very many links in the background, with progress and undo.",
  Jobs: "The progress of tags that are renamed or deleted.",
  Imports: "Links of other services: upload their export, check what becomes of it, and import it.",
  Clicks: "Visits of links: totals, time series and single clicks.",
  "Shared pages": "The clicks of a link or a tag, for everybody who has the URL.",
  Exports: "Files with links, clicks or QR codes.",
  "QR codes": "Images for links and for any other content.",
  "Deep links": "Destinations in apps, and the files that link apps to domains.",
  Keys: "API keys and their permissions.",
  Domains: "Custom domains, on which links of the account work.",
  Webhooks: "Signed HTTP callbacks for events. The section `webhooks` describes what they receive.",
  Listeners: "Receivers without a URL, which poll for the events that a webhook would get.",
  "Sign-in": "Sign-up, sign-in, sessions, passwords and addresses of persons. Only for pages of this service.",
  "Second factors": "Authenticator apps, recovery codes and passkeys of persons. Only for pages of this service.",
  "Connected apps":
    "Apps that a person connects to an account by OAuth 2.1, such as assistants. Only for pages of this service.",
  Account:
    "The account that a person acts for: name, defaults of new links, audit log. Only for pages of this service.",
  Teams: "Accounts with several members: roles, invitations, transfer. Only for pages of this service.",
  Administration:
    "What operators of the service do: takedowns, and the record of them. Only for pages of this service.",
  Mails: "What programs that show mails of this service request. No API key is needed.",
  Usage: "What an account uses of its quotas and limits.",
  Operation: "The state of the service, for monitors, and what it offers visitors.",
  Redirects: "What visitors of short links request. No API key is needed.",
};

/** A group of operations in the document. */
export type Tag = keyof typeof TAGS;

/** That of package.json. */
export const SERVICE_VERSION = "0.1.0";

const INFO = {
  title: "Tern",
  version: SERVICE_VERSION,
  summary: "Link shortening with analytics, QR codes, custom domains and webhooks.",
  description:
    "Short links. Times in responses are Unix milliseconds. Every integer is an `int64`. Every error has the form of `Error`. Every response has an `X-Request-Id`. Bodies may be compressed with gzip or deflate. Limits count calls by IP address (IPv6: by /64) and operation; a session has windows for all reads and all changes.",
  license: { name: "MIT", identifier: "MIT" },
};

/** A function for a document. It is created at the first call. */
type DocumentAt = (baseUrl: string) => object;

/**
 * The OpenAPI 3.1 documents of the routes of `app`: of those that API clients can call, and of all, for contributors.
 * `ofPages` are the names of those that only the service's own pages can call, such as `get /api/account`.
 */
export function openApiDocuments(
  app: OpenAPIHono<HttpEnv>,
  ofPages: ReadonlySet<string>,
): { ofApi: DocumentAt; ofAll: DocumentAt } {
  const { openAPIRegistry: registry } = app;
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description:
      "An API key: svc_sk_live_ and 64 hexadecimal characters. `Bearer` may be in any case. Keep it out of web pages and apps.",
  });
  registry.registerComponent("securitySchemes", "session", {
    type: "apiKey",
    in: "cookie",
    name: "__Host-tern",
    description: "The cookie of a browser that is signed in; `tern` where the service has http only.",
  });
  registry.registerComponent("securitySchemes", "app", {
    type: "oauth2",
    description: "The access token of an app that a person has connected, for the resource `/api` (docs/oauth.md).",
    flows: {
      authorizationCode: {
        authorizationUrl: "/oauth/authorize",
        tokenUrl: "/oauth/token",
        refreshUrl: "/oauth/token",
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, `The permission ${scope}.`])),
      },
    },
  });
  for (const [name, header] of Object.entries(RESPONSE_HEADERS))
    registry.registerComponent("headers", componentName(name), header);
  for (const [name, response] of Object.entries(errorResponses()))
    registry.registerComponent("responses", name, response as { description: string });
  const documentWithout = (left: ReadonlySet<string>): DocumentAt => {
    let document: object | undefined;
    return (baseUrl) => {
      document ??= toDocument(app, left);
      return { ...document, servers: [{ url: baseUrl, description: "This installation." }] };
    };
  };
  return { ofApi: documentWithout(ofPages), ofAll: documentWithout(new Set()) };
}

function toDocument(app: OpenAPIHono<HttpEnv>, left: ReadonlySet<string>): object {
  const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  const generated = app.getOpenAPI31Document({ openapi: "3.1.0", info: INFO, tags });
  const document = sizeNumbers(correctUses(JSON.parse(JSON.stringify(generated)) as object));
  return withoutOperations(shareParameters(document) as Document, left);
}

/** Members of a schema that hold values, not schemas. */
const VALUES = new Set(["example", "examples", "default", "enum", "const"]);

/**
 * Says how large the numbers of a generated document can be, because generators of typed clients take 32 bits otherwise: every
 * integer is an `int64`, which times in milliseconds need, and every other number a `double`.
 */
function sizeNumbers<D extends object>(document: D): D {
  return size(document) as D;
}

function size(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(size);
  if (typeof part !== "object" || part === null) return part;
  const sized = Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, VALUES.has(key) ? value : size(value)]),
  );
  const types = "type" in part ? [part.type].flat() : [];
  if (types.includes("integer")) return { ...sized, format: "int64" };
  return types.includes("number") ? { ...sized, format: "double" } : sized;
}
