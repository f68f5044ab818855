import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import * as check from "./check-slug.ts";
import * as contract from "./contract.ts";

const checkSlug: RouteHandler<typeof contract.checkSlug, AuthEnv> = async (c) => {
  const input = { ...c.req.valid("query"), ...c.req.valid("param") };
  return c.json({ slug: await check.checkSlug(c.get("context"), input) }, 200);
};

export const ROUTES = [route(contract.checkSlug, requireKey("links:write"), 60, checkSlug)];
