import { z, type RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { badRequest } from "./errors.ts";

/**
 * Refuses headers that promise safety and that the operation would ignore: a client that relies on them must not believe
 * that it is protected. `Idempotency-Key` is refused for POST only, because the other methods are idempotent without it.
 */
export function refuseUnusedHeaders({ method, request }: RouteConfig): MiddlewareHandler[] {
  if (method === "get" || method === "head") return [];
  const used = request?.headers instanceof z.ZodObject ? Object.keys(request.headers.shape) : [];
  const names = ["If-Match", "If-None-Match", ...(method === "post" ? ["Idempotency-Key"] : [])];
  const unused = names.filter((name) => !used.includes(name.toLowerCase()));
  return [
    async (c, next) => {
      for (const name of unused) {
        if (c.req.header(name) !== undefined) throw badRequest("unused_header", { value: name });
      }
      await next();
    },
  ];
}
