// The parts that the OpenAPI document defines once: headers and error responses.

const header = (description: string, schema: object, example: unknown) => ({ description, schema, example });
/** A header that each response has that documents it. */
const required = (description: string, schema: object, example: unknown) => ({
  ...header(description, schema, example),
  required: true,
});
const count = { type: "integer", minimum: 0 };

/** By header name. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": required(
    "The request's id in the service's log.",
    { type: "string", format: "uuid" },
    "8f14e45f-ceea-467f-a0e6-1d1f5c0b7a52",
  ),
  "X-RateLimit-Limit": header(
    "Maximum number of calls, or of created links if their limit was exceeded, in a window of one minute.",
    count,
    30,
  ),
  "X-RateLimit-Remaining": header("Remaining calls in the window.", count, 29),
  "X-RateLimit-Reset": header("Seconds until the window resets.", count, 60),
  "Retry-After": required("Seconds to wait before the next call.", { type: "integer", minimum: 1 }, 5),
  "WWW-Authenticate": required("The scheme of the credentials.", { type: "string" }, "Bearer"),
  "Set-Cookie": header(
    "A cookie for this host: of the session, of the browser, or of the next step. It may end one.",
    { type: "string" },
    "__Host-tern=q7Hn0Cj1yq3fR2mXv8bT5kZs9wL4dP6gA0eUiYoNcWx; Max-Age=5184000; Path=/; HttpOnly; Secure; SameSite=Lax",
  ),
  "Idempotent-Replayed": header(
    "Sent if this is the response to an earlier request with the same Idempotency-Key.",
    { type: "string", enum: ["true"] },
    "true",
  ),
  "Accept-Encoding": header(
    "For a body with an unknown content encoding: the known ones.",
    { type: "string" },
    "gzip, deflate",
  ),
};

type HeaderName = keyof typeof RESPONSE_HEADERS;

/** The headers of the response to a call that the rate limiter counts. */
export const CALL_HEADERS = refs("X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
/** The header of every response. */
export const REQUEST_ID_HEADER = refs("X-Request-Id");
export const RETRY_HEADER = refs("Retry-After");
export const COOKIE_HEADER = refs("Set-Cookie");
export const REPLAY_HEADER = refs("Idempotent-Replayed");

function refs(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${componentName(name)}` }]));
}

/** The name of a header among the components. It is short, because each operation names several. */
export function componentName(header: string): string {
  return header.replace(/^X-(RateLimit-)?/, "");
}

/** The error responses of operations, by status. Each has a name in the document. */
const ERRORS = {
  400: { name: "InvalidRequest", description: "The request is not valid. `details` lists the invalid fields." },
  401: {
    name: "Unauthorized",
    description: "The API key or the session is missing, invalid, expired or revoked.",
    headers: refs("WWW-Authenticate", "Set-Cookie"),
  },
  403: {
    name: "Forbidden",
    description: "The key or the role lacks the permission, or the resource belongs to another account.",
  },
  404: { name: "NotFound", description: "The resource does not exist or was deleted." },
  413: {
    name: "PayloadTooLarge",
    description: "The body is too large, before or after decompression, or has too many values.",
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The body is not JSON, or has an unknown content encoding.",
    headers: refs("Accept-Encoding"),
  },
  429: {
    name: "RateLimited",
    description: "Too many calls. `Retry-After` is the time in seconds until the next call is allowed.",
    headers: RETRY_HEADER,
  },
  500: { name: "InternalError", description: "An unexpected error occurred." },
  503: {
    name: "Unavailable",
    description: "The database or another part of the service did not respond.",
    headers: RETRY_HEADER,
  },
} as const;

export type ErrorStatus = keyof typeof ERRORS;

export function errorRef(status: ErrorStatus): { $ref: string } {
  return { $ref: `#/components/responses/${ERRORS[status].name}` };
}

const REFUSED = {
  name: "Refused",
  description: "The request was refused, for the reason that the operation describes.",
};
/** Refers to a response of any status. Its description stands beside the reference (OpenAPI 3.1, 4.8.23). */
export const REFUSED_REF = { $ref: `#/components/responses/${REFUSED.name}` };

/** The component of each error response, by its name. */
export function errorResponses(): Record<string, object> {
  const schema = { $ref: "#/components/schemas/Error" };
  return Object.fromEntries(
    [...Object.values(ERRORS), REFUSED].map(({ name, description, ...error }) => [
      name,
      {
        description,
        headers: { ...CALL_HEADERS, ...("headers" in error ? error.headers : {}) },
        content: { "application/json": { schema } },
      },
    ]),
  );
}
