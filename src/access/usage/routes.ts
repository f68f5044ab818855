import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../guards/api-guards.ts";
import { route } from "../guards/route.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import * as contract from "./contract.ts";
import * as usage from "./get-usage.ts";

const getUsage: RouteHandler<typeof contract.getUsage, AuthEnv> = async (c) =>
  c.json({ usage: await usage.getUsage(c.get("context")) }, 200);

export const ROUTES = [route(contract.getUsage, requireKey(), 60, getUsage)];
