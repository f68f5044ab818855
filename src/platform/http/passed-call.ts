import type { Context, HonoRequest } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { AccountContext, CallContext } from "../context.ts";
import type { ErrorCode } from "./error-body.ts";
import { MAX_OWN_ROW_CHARS } from "./limits.ts";

// A call that computes long is answered by an object, because redirects of an isolate wait for what it computes. The isolate
// that received the call lets it pass the guards, and passes it on with its context.

/** The context of a call without what each isolate has of its own, and with what the guards added. */
type PassedContext = Omit<CallContext, "env" | "db" | "waitUntil" | "readLanguage" | "isPassed">;

const CONTEXT_HEADER = "X-Passed-Context";
/** Of a response: the code of the error, for the log line. */
export const ERROR_CODE_HEADER = "X-Error-Code";

const contexts = new WeakMap<Request, PassedContext>();

/** Lets an object of the account answer the call, which has passed the guards. The object stores nothing. */
export async function answerByObject(c: Context): Promise<Response> {
  const { env, db: _db, ...context } = c.get("context") as CallContext & AccountContext;
  const request = new Request(c.req.raw);
  // Only the Worker sends requests to objects, so no client can write the header.
  request.headers.set(CONTEXT_HEADER, encodeURIComponent(JSON.stringify(context)));
  const response = await env.JOB_RUNNER.getByName(`calls:${context.principal.accountId}`).fetch(request);
  const headers = new Headers(response.headers);
  c.set("errorCode", (headers.get(ERROR_CODE_HEADER) ?? undefined) as ErrorCode | undefined);
  headers.delete(ERROR_CODE_HEADER);
  return c.newResponse(response.body, response.status as StatusCode, Object.fromEntries(headers));
}

/** A read that turns out to compute long: an object answers the call in its place. */
export class LongCallError extends Error {}

/** Throws a {@link LongCallError} if a response of these rows takes long to write. An object writes it. */
export function requireShort({ isPassed }: { isPassed: boolean }, rows: readonly object[]): void {
  let chars = 0;
  for (const row of rows) for (const value of Object.values(row)) if (typeof value === "string") chars += value.length;
  if (chars > MAX_OWN_ROW_CHARS) requirePassed({ isPassed });
}

/** Throws a {@link LongCallError} unless an object answers the call already. */
export function requirePassed({ isPassed }: { isPassed: boolean }): void {
  if (!isPassed) throw new LongCallError();
}

/** Takes a request that {@link answerByObject} sent. */
export function takeCall(request: Request): Request {
  const context = JSON.parse(decodeURIComponent(request.headers.get(CONTEXT_HEADER) ?? "")) as PassedContext;
  contexts.set(request, context);
  return request;
}

/** The context of a call that was passed to this object; undefined for all others. */
export const passedContextOf = (request: Request): PassedContext | undefined => contexts.get(request);

/** Whether the body is longer, or of unknown length. */
export const hasBodyOver = (bytes: number) => (request: HonoRequest) =>
  request.header("Content-Encoding") !== undefined || !(Number(request.header("Content-Length") ?? Infinity) <= bytes);
