import type { RouteHandler } from "@hono/zod-openapi";
import type { HttpEnv } from "../../http/context.ts";
import type * as contract from "./contract.ts";
import { describeService } from "./describe-service.ts";
import { SERVICE_INFO_MAX_AGE_SECONDS } from "../limits.ts";

export const getService: RouteHandler<typeof contract.getService, HttpEnv> = (c) => {
  c.header("Cache-Control", `public, max-age=${SERVICE_INFO_MAX_AGE_SECONDS}`);
  return c.json({ service: describeService(c.get("context")) }, 200);
};
