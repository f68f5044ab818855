import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import type * as contract from "./contract.ts";
import * as usage from "./get-usage.ts";

export const getUsage: RouteHandler<typeof contract.getUsage, AuthEnv> = async (c) =>
  c.json({ usage: await usage.getUsage(c.get("context")) }, 200);
