import type { RouteHandler } from "@hono/zod-openapi";
import type { HttpEnv } from "../http/context.ts";
import type * as contract from "./contract.ts";
import { probe } from "./probe.ts";
import { HEALTH_CACHE_MS } from "./limits.ts";

/** The isolate's last result. With it, a flood of calls from many addresses costs one probe at a time. */
let latest: { health: contract.Health; at: number } | null = null;

export const getHealth: RouteHandler<typeof contract.getHealth, HttpEnv> = async (c) => {
  const { env, now } = c.get("context");
  if (latest === null || Math.abs(now - latest.at) >= HEALTH_CACHE_MS) latest = { health: await probe(env), at: now };
  const { health } = latest;
  return c.json(health, health.status === "ok" ? 200 : 503);
};
