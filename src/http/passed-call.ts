import type { HonoRequest } from "hono";
import type { CallContext } from "../context.ts";

// A call that computes long is answered by an object, because redirects of an isolate wait for what it computes. The isolate
// that received the call lets it pass the guards, and passes it on with its context.

/** The context of a call without what each isolate has of its own, and with what the guards added. */
type PassedContext = Omit<CallContext, "env" | "db" | "waitUntil" | "readLanguage">;

const CONTEXT_HEADER = "X-Passed-Context";
/** Of a response: the code of the error, for the log line. */
export const ERROR_CODE_HEADER = "X-Error-Code";

const contexts = new WeakMap<Request, PassedContext>();

/** The request for an object of the service. Only the Worker sends requests to objects, so no client can write the header. */
export function passCall(request: Request, { env: _env, db: _db, ...context }: CallContext): Request {
  const passed = new Request(request);
  passed.headers.set(CONTEXT_HEADER, encodeURIComponent(JSON.stringify(context)));
  return passed;
}

/** Takes a request that {@link passCall} made. */
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
