import type { MiddlewareHandler } from "hono";
import type { Principal, RequestContext } from "../context.ts";
import { log } from "../lib/log.ts";

/** Hono's environment of every API route. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    context: RequestContext<Principal | null>;
    /** The id of the caller's credential, for the log line. */
    caller: string | undefined;
  };
}

/**
 * The first middleware: creates the request context, forbids caching by default, and writes the log line of the request.
 * The logged path has no query string, which may hold secrets.
 */
export const requestContext: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const url = new URL(c.req.url);
  const context: RequestContext<null> = {
    env: c.env,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    principal: null,
    requestId: crypto.randomUUID(),
    country: typeof c.req.raw.cf?.country === "string" ? c.req.raw.cf.country : null,
    now: Date.now(),
    baseUrl: c.env.BASE_URL === "" ? url.origin : c.env.BASE_URL,
  };
  c.set("context", context);
  await next();
  c.header("X-Request-Id", context.requestId);
  c.header("X-Content-Type-Options", "nosniff");
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
  log("info", "request", {
    requestId: context.requestId,
    method: c.req.method,
    path: url.pathname,
    status: c.res.status,
    caller: c.get("caller"),
    durationMs: Date.now() - context.now,
  });
};
