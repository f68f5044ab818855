import { routePath } from "hono/route";
import type { MiddlewareHandler } from "hono";
import { log } from "../lib/log.ts";
import type { ErrorCode } from "./error-body.ts";
import { languageOf } from "../lib/browser-language.ts";
import type { CallContext } from "../context.ts";
import { ERROR_CODE_HEADER, passedContextOf } from "./passed-call.ts";

/** Hono's environment of every API route. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    context: CallContext;
    /** The key that the request was sent with, if it exists: for the account's log of requests. */
    keyCall: KeyCall | undefined;
    /** The id of the caller's credential, for the log line. */
    caller: string | undefined;
    /** The code of the error that the response has, for the log line. */
    errorCode: ErrorCode | undefined;
  };
}

/** A call with a key that exists, whether it is accepted or not. */
interface KeyCall {
  accountId: number;
  keyId: string;
  /** Such as `GET /api/links/:id`. */
  operation: string;
}

/** Responses are for programs. A browser that is led to one must not run, load or frame anything. */
const DEFAULT_HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

/**
 * The first middleware: creates the request context, adds the headers that protect every response, and writes the log line
 * of the request. The logged path is that of the route, such as `/api/tags/:tag`: names and secrets in URLs are not logged.
 */
export const requestContext: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const passed = passedContextOf(c.req.raw);
  const url = new URL(c.req.url);
  const context: CallContext = {
    env: c.env,
    db: c.env.DB,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    readLanguage: () => languageOf(c.req.raw.headers),
    requestId: crypto.randomUUID(),
    country: typeof c.req.raw.cf?.country === "string" ? c.req.raw.cf.country : null,
    now: Date.now(),
    baseUrl: c.env.BASE_URL === "" ? url.origin : c.env.BASE_URL,
    ...passed,
    isPassed: passed !== undefined,
  };
  c.set("context", context);
  await next();
  c.header("X-Request-Id", context.requestId);
  c.header("X-Content-Type-Options", "nosniff");
  for (const [name, value] of Object.entries(DEFAULT_HEADERS)) if (!c.res.headers.has(name)) c.header(name, value);
  if (passed !== undefined) return c.header(ERROR_CODE_HEADER, c.get("errorCode"));
  log("info", "request", {
    requestId: context.requestId,
    method: c.req.method,
    path: routePath(c),
    status: c.res.status,
    code: c.get("errorCode"),
    caller: c.get("caller"),
    durationMs: Date.now() - context.now,
  });
};
