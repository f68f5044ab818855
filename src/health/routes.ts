import type { RouteHandler } from "@hono/zod-openapi";
import { allowAnonymous } from "../guards/api-guards.ts";
import { route } from "../guards/route.ts";
import type { HttpEnv } from "../http/context.ts";
import * as contract from "./contract.ts";
import { probe } from "./probe.ts";
import { HEALTH_CACHE_MS } from "./limits.ts";

/** The isolate's last result. With it, a flood of calls from many addresses costs one probe at a time. */
let latest: { health: contract.Health; at: number } | null = null;

const getHealth: RouteHandler<typeof contract.getHealth, HttpEnv> = async (c) => {
  const { env, now } = c.get("context");
  if (latest === null || Math.abs(now - latest.at) >= HEALTH_CACHE_MS) latest = { health: await probe(env), at: now };
  const { health } = latest;
  return c.json(health, health.status === "ok" ? 200 : 503);
};

export const ROUTES = [route(contract.getHealth, allowAnonymous, 60, getHealth)];
