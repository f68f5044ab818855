import type { RouteHandler } from "@hono/zod-openapi";
import type { HttpEnv } from "../http/context.ts";
import type * as contract from "./contract.ts";
import { probe } from "./probe.ts";

export const getHealth: RouteHandler<typeof contract.getHealth, HttpEnv> = async (c) => {
  const health = await probe(c.env);
  return c.json(health, health.status === "ok" ? 200 : 503);
};
