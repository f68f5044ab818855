import type { MiddlewareHandler } from "hono";
import { log } from "../lib/log.ts";

/** What every handler of the API can read. */
export interface HttpEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Unix milliseconds, read once per request. */
    now: number;
    /** Where the service is reached, without a trailing slash. */
    baseUrl: string;
    /** Set by whatever recognises the caller, for the log line. */
    caller: string | undefined;
  };
}

/**
 * First of all middleware: gives the request its id and its time, keeps every answer out of caches,
 * and writes the request's log line (the path without its query string, which may hold anything).
 */
export const requestContext: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const url = new URL(c.req.url);
  c.set("requestId", crypto.randomUUID());
  c.set("now", Date.now());
  c.set("baseUrl", c.env.BASE_URL === "" ? url.origin : c.env.BASE_URL);
  await next();
  c.header("X-Request-Id", c.get("requestId"));
  c.header("X-Content-Type-Options", "nosniff");
  if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
  log("info", "request", {
    requestId: c.get("requestId"),
    method: c.req.method,
    path: url.pathname,
    status: c.res.status,
    caller: c.get("caller"),
    durationMs: Date.now() - c.get("now"),
  });
};
