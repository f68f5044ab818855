import type { ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { isTransient } from "../database/errors.ts";
import { mayPass } from "../lib/durable-objects.ts";
import { describeError, log } from "../lib/log.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "../limits.ts";
import type { HttpEnv } from "./context.ts";
import { STATUS_OF_CODE, type ErrorBody, type ErrorCode } from "./error-body.ts";

type ErrorStatus = (typeof STATUS_OF_CODE)[ErrorCode];

export interface ErrorDetail {
  path: string;
  message: string;
}

/** The one type of expected error; {@link onError} puts it on the wire. */
class ApiError extends HTTPException {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}, details?: ErrorDetail[]) {
    super(STATUS_OF_CODE[code], { message });
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

export const badRequest = (message: string) => new ApiError("invalid_request", message);
export const unauthorized = (message: string) =>
  new ApiError("unauthorized", message, { "WWW-Authenticate": "Bearer" });
export const forbidden = (message: string) => new ApiError("forbidden", message);
export const notFound = (message: string) => new ApiError("not_found", message);
export const methodNotAllowed = (message: string, allow: string) =>
  new ApiError("method_not_allowed", message, { Allow: allow });
export const conflict = (message: string) => new ApiError("conflict", message);
export const limitReached = (message: string) => new ApiError("limit_reached", message);
export const payloadTooLarge = (message: string) => new ApiError("payload_too_large", message);
export const rateLimited = (message: string, retryAfterSeconds: number) =>
  new ApiError("rate_limited", message, { "Retry-After": String(retryAfterSeconds) });
export const unavailable = (message: string) =>
  new ApiError("unavailable", message, { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) });

/** A request that does not fit its contract: the first detail is the sentence, all of them are listed. */
export function invalidRequest(details: ErrorDetail[]): ApiError {
  const first = details[0];
  const sentence = first === undefined ? "The request is not valid." : `${first.path || "body"}: ${first.message}`;
  return new ApiError("invalid_request", sentence, {}, details);
}

/** Maps whatever a handler threw to the wire: expected errors as they are, the rest without a word of their inside. */
export const onError: ErrorHandler<HttpEnv> = (thrown, c) => {
  const error =
    thrown instanceof ApiError ? thrown : fromUnexpected(thrown, c.get("context").requestId, c.req.method, c.req.path);
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  return c.json(bodyOf(error), error.status as ErrorStatus);
};

function bodyOf({ code, details, message }: ApiError): ErrorBody {
  return details === undefined ? { error: message, code } : { error: message, code, details };
}

/** An expected error as a part of an answer; others are thrown again. */
export function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof ApiError) return bodyOf(error);
  throw error;
}

function fromUnexpected(thrown: Error, requestId: string, method: string, path: string): ApiError {
  // What the validators of @hono/zod-openapi throw for a body that is not JSON.
  if (thrown instanceof HTTPException && thrown.status === 400) return badRequest("The body is not valid JSON.");
  if (thrown instanceof HTTPException && thrown.status === 415) {
    return new ApiError(
      "unsupported_media_type",
      "Send the body as JSON, with the header Content-Type: application/json.",
    );
  }
  log("error", "request_failed", { requestId, method, path, ...describeError(thrown) });
  if (isTransient(thrown))
    return unavailable(
      "The database did not answer. Nothing can be said of this request's outcome: read before you try again.",
    );
  if (mayPass(thrown)) return unavailable("A part of the service is overloaded or is being restarted. Try again.");
  return new ApiError("internal", `Something went wrong here. If it goes on, report request ${requestId}.`);
}
