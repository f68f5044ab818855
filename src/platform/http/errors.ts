import { routePath } from "hono/route";
import type { Context, ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { describeApiPath, type ApiPath } from "../api-paths.ts";
import { isFreePlanUsedUp, isTransient, secondsUntilReset } from "../database/errors.ts";
import { isRetryable } from "../lib/durable-objects.ts";
import { describeWait } from "../lib/describe-wait.ts";
import { describeError, log } from "../lib/log.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "../../limits.ts";
import { MAX_ERROR_DETAILS } from "./limits.ts";
import {
  fault,
  type Fault,
  type FaultValues,
  type FieldFaultCode,
  type RefusalCode,
  type ValueArguments,
} from "./faults.ts";
import type { HttpEnv } from "./context.ts";
import { findJsonFault } from "./json-fault.ts";
import { answerByObject, LongCallError } from "./passed-call.ts";
import { STATUS_OF_CODE, type ErrorBody, type ErrorCode } from "./error-body.ts";

type ErrorStatus = (typeof STATUS_OF_CODE)[ErrorCode];

/** The only type of expected errors. {@link onError} turns them into responses. */
class ApiError extends HTTPException {
  readonly code: ErrorCode;
  readonly details: Fault[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}, details?: Fault[]) {
    super(STATUS_OF_CODE[code], { message });
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** RFC 9110, 9.2.1: those of the API. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

const RETRY_SOON = { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) };

/** Makes the errors of a kind, which refuse a request as a whole. The fault has the path of the field that it names, if any. */
const refusal =
  (kind: ErrorCode, headers: Record<string, string> = {}) =>
  <C extends RefusalCode>(code: C, ...values: ValueArguments<C>): ApiError => {
    const { field = "" } = (values[0] ?? {}) as FaultValues;
    const reason = fault(field, code, ...values);
    return new ApiError(kind, reason.message, headers, [reason]);
  };

export const badRequest = refusal("invalid_request");
export const forbidden = refusal("forbidden");
export const mfaRequired = refusal("mfa_required");
export const quotaExceeded = refusal("quota_exceeded");
export const notFound = refusal("not_found");
export const conflict = refusal("conflict");
export const limitReached = refusal("limit_reached");
export const preconditionFailed = refusal("precondition_failed");
export const payloadTooLarge = refusal("payload_too_large");
export const unavailable = refusal("unavailable", RETRY_SOON);
export const invalidCredentials = refusal("invalid_credentials", { "WWW-Authenticate": "Bearer" });
/** RFC 6750, 3.1. */
export const insufficientScope = (missing: readonly string[], challenge: string) =>
  refusal("forbidden", { "WWW-Authenticate": challenge })("app_lacks_scope", { allowed: missing });
export const unauthorized = (message: string, challenge = "Bearer") =>
  new ApiError("unauthorized", message, { "WWW-Authenticate": challenge });
/** A 401 with this challenge in place of its own; every other error as it is. */
export const withChallenge = (error: unknown, challenge: string): unknown =>
  error instanceof ApiError && error.code === "unauthorized" ? unauthorized(error.message, challenge) : error;
/** The first fault of a 400; undefined for every other error. */
export const faultOfInvalid = (error: unknown): Fault | undefined =>
  error instanceof ApiError && error.code === "invalid_request" ? error.details?.[0] : undefined;
/** Whether the error is that of {@link invalidCredentials}. */
export const isInvalidCredentials = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "invalid_credentials";
export const passwordRequired = (message: string) => new ApiError("password_required", message);
export const wrongPassword = (message: string) => new ApiError("wrong_password", message);
export const crossSite = (message: string) => new ApiError("cross_site", message);
export const confirmIdentity = (message: string) => new ApiError("confirm_identity", message);
export const accountDeleted = () =>
  new ApiError(
    "account_deleted",
    "This account is deleted. Its owner can restore it for 7 days: POST /api/account/restore.",
  );
export const unsupportedMediaType = (message: string, headers: Record<string, string> = {}) =>
  new ApiError("unsupported_media_type", message, headers);
/** RFC 9110, 15.5.22. */
export const upgradeRequired = (message: string, protocol: string) =>
  new ApiError("upgrade_required", message, { Upgrade: protocol });
/** A part of the service fails: the kind of the error says all that a caller can do. */
export const notResponding = (message: string) => new ApiError("unavailable", message, RETRY_SOON);
/** Cloudflare's free plan lets the service do no more today. */
const freePlanUsedUp = () =>
  refusal("unavailable", { "Retry-After": String(secondsUntilReset(Date.now())) })("free_plan_used_up");
/** Refuses the call that the rate limiter could not count. */
export function limiterFailed(cause: unknown): never {
  if (isFreePlanUsedUp(cause)) throw freePlanUsedUp();
  throw notResponding("The rate limiter did not respond. Nothing was changed. Try again.");
}
/**
 * `reason` is a sentence without the wait, which is added, or the fault of a limit that has a remedy of its own. `window`
 * describes the limit in the headers, unless it is that of the client's address, whose headers are set already.
 */
export function rateLimited(
  reason: Fault | string,
  retryAfterSeconds: number,
  window?: { limit: number; remaining: number },
) {
  const seconds = String(retryAfterSeconds);
  const headers = {
    "Retry-After": seconds,
    ...(window && {
      "X-RateLimit-Limit": String(window.limit),
      "X-RateLimit-Remaining": String(window.remaining),
      "X-RateLimit-Reset": seconds,
    }),
  };
  const [sentence, details] = typeof reason === "string" ? [reason] : [reason.message, [reason]];
  return new ApiError("rate_limited", `${sentence} Try again ${describeWait(retryAfterSeconds)}.`, headers, details);
}

/**
 * A request that does not match its contract. The message is the first fault. Faults are bounded: the results of a bulk
 * request would otherwise repeat a long key of the request thousands of times.
 */
export function invalidRequest(faults: readonly Fault[]): ApiError {
  return ofFields("invalid_request", faults);
}

/** A request whose file cannot be read. */
export const invalidFile = (reason: Fault): ApiError => new ApiError("invalid_request", reason.message, {}, [reason]);

/** A request with one invalid field. */
export const invalidField = <C extends FieldFaultCode>(path: string, code: C, ...values: ValueArguments<C>): ApiError =>
  invalidRequest([fault(path, code, ...values)]);

/** An error whose faults have other paths; every other error as it is. */
export const withPaths = (error: unknown, toPath: (path: string) => string): unknown =>
  error instanceof ApiError && error.code === "invalid_request" && error.details !== undefined
    ? invalidRequest(error.details.map((each) => ({ ...each, path: toPath(each.path) })))
    : error;

/** A request with destinations that the service blocks. */
export function destinationBlocked(faults: readonly Fault[]): ApiError {
  return ofFields("destination_blocked", faults);
}

function ofFields(code: ErrorCode, faults: readonly Fault[]): ApiError {
  const details = faults.slice(0, MAX_ERROR_DETAILS);
  const first = details[0];
  const message = first === undefined ? "The request is not valid." : `${first.path || "body"}: ${first.message}`;
  return new ApiError(code, message, {}, details);
}

/** Turns a thrown error into a response. Unexpected errors are logged; their message stays private. */
export const onError: ErrorHandler<HttpEnv> = async (thrown, c) => {
  if (thrown instanceof ApiError) return respond(thrown, c);
  if (thrown instanceof LongCallError) return answerByObject(c);
  // The validators of @hono/zod-openapi throw these for a body that is not JSON.
  const isBrokenJson = thrown instanceof HTTPException && thrown.status === 400;
  return respond(isBrokenJson ? brokenJson(await c.req.text().catch(() => "")) : fromUnexpected(thrown, c), c);
};

function brokenJson(body: string): ApiError {
  const found = findJsonFault(body);
  if (found === null) return badRequest("not_json");
  const { line, column, problem } = found;
  return badRequest("not_json", { line, column, reason: problem });
}

/** The response on a path that does not exist. `meant` is the one that the caller probably wanted. */
export function onNotFound(c: Context<HttpEnv>, meant: ApiPath | null): Response {
  const { path, method } = c.req;
  const advice = meant === null ? "GET /api/openapi.json lists the paths." : describeApiPath(method, meant);
  return respond(notFound("no_such_path", { value: path, example: advice }), c);
}

export function onMethodNotAllowed(c: Context<HttpEnv>, methods: string[]): Response {
  const allow = methods.toSorted().join(", ");
  const message = `${c.req.path} does not support ${c.req.method}, only ${allow}.`;
  return respond(new ApiError("method_not_allowed", message, { Allow: allow }), c);
}

function respond(error: ApiError, c: Context<HttpEnv>): Response {
  c.set("errorCode", error.code);
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
  return c.json(bodyOf(error), error.status as ErrorStatus);
}

function bodyOf({ code, details, message }: ApiError): ErrorBody {
  return details === undefined ? { error: message, code } : { error: message, code, details };
}

/** An expected error as a part of a response. Rethrows other errors. */
export function toErrorBody(error: unknown): ErrorBody {
  if (error instanceof ApiError) return bodyOf(error);
  throw error;
}

function fromUnexpected(thrown: Error, c: Context<HttpEnv>): ApiError {
  if (thrown instanceof HTTPException && thrown.status === 415) {
    return unsupportedMediaType("Send the body as JSON, with the header Content-Type: application/json.");
  }
  const { requestId } = c.get("context");
  log("error", "request_failed", { requestId, method: c.req.method, path: routePath(c), ...describeError(thrown) });
  if (isFreePlanUsedUp(thrown)) return freePlanUsedUp();
  if (isTransient(thrown)) {
    const changesNothing = SAFE_METHODS.has(c.req.method);
    const advice = changesNothing ? "Try again." : "The change may have been applied; check before retrying.";
    return notResponding(`The database did not respond. ${advice}`);
  }
  if (isRetryable(thrown)) return notResponding("A part of the service is overloaded or restarting. Try again.");
  return new ApiError("internal", `An unexpected error occurred. If it persists, report request ${requestId}.`);
}
