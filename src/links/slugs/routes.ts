import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../../auth/principal.ts";
import * as check from "./check-slug.ts";
import type * as contract from "./contract.ts";

export const checkSlug: RouteHandler<typeof contract.checkSlug, AuthEnv> = async (c) => {
  const input = { ...c.req.valid("query"), ...c.req.valid("param") };
  return c.json({ slug: await check.checkSlug(c.get("context"), input) }, 200);
};
