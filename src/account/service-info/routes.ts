import type { RouteHandler } from "@hono/zod-openapi";
import { allowAnonymous } from "../../guards/api-guards.ts";
import { route } from "../../guards/route.ts";
import type { HttpEnv } from "../../http/context.ts";
import * as contract from "./contract.ts";
import { describeService } from "./describe-service.ts";
import { SERVICE_INFO_MAX_AGE_SECONDS } from "../limits.ts";

const getService: RouteHandler<typeof contract.getService, HttpEnv> = (c) => {
  c.header("Cache-Control", `public, max-age=${SERVICE_INFO_MAX_AGE_SECONDS}`);
  return c.json({ service: describeService(c.get("context")) }, 200);
};

export const ROUTES = [route(contract.getService, allowAnonymous, 60, getService)];
