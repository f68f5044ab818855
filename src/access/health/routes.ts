import type { RouteHandler } from "@hono/zod-openapi";
import { allowAnonymous } from "../guards/api-guards.ts";
import { route } from "../guards/route.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { isLocalCall } from "../../platform/http/local-call.ts";
import * as contract from "./contract.ts";
import { probe } from "./probe.ts";
import { HEALTH_CACHE_MS } from "./limits.ts";

/** The isolate's last result. With it, a flood of calls from many addresses costs one probe at a time. */
let latest: { state: contract.HealthState; at: number } | null = null;

const getHealth: RouteHandler<typeof contract.getHealth, HttpEnv> = async (c) => {
  const { env, now } = c.get("context");
  if (latest === null || Math.abs(now - latest.at) >= HEALTH_CACHE_MS) latest = { state: await probe(env), at: now };
  const { state } = latest;
  const { status } = state;
  return c.json(isLocalCall(c) ? state : { status }, status === "ok" ? 200 : 503);
};

export const ROUTES = [route(contract.getHealth, allowAnonymous, 60, getHealth)];
