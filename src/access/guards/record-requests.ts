import type { MiddlewareHandler } from "hono";
import { logRequest } from "../../click-log/capture/requests.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { isId } from "../../platform/lib/uuid.ts";

/** Adds requests with a key to the log of its account, unless the operator has turned it off. The response does not wait for it. */
export const recordRequests: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const call = c.get("keyCall");
  if (call === undefined || c.env.NOT_RECORDED.includes("requests")) return;
  const { requestId, now, waitUntil } = c.get("context");
  const path = loggedPath(call.operation, c.req.path);
  const durationMs = Date.now() - now;
  const flush = logRequest(c.env, call.accountId, [
    now,
    requestId,
    call.keyId,
    c.req.method,
    path,
    c.res.status,
    durationMs,
  ]);
  if (flush !== null) waitUntil(flush);
};

/** The path of the route with the ids of the request in it. Nothing else that a client wrote: it may be secret. */
function loggedPath(operation: string, path: string): string {
  const [, pattern = ""] = operation.split(" ");
  const given = path.split("/");
  return pattern
    .split("/")
    .map((part, index) => {
      const text = given[index]?.toLowerCase() ?? "";
      return part.startsWith(":") && isId(text) ? text : part;
    })
    .join("/");
}
