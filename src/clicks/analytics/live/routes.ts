import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../../access/guards/api-guards.ts";
import { route } from "../../../access/guards/route.ts";
import type { AuthEnv } from "../../../platform/auth/principal.ts";
import { upgradeRequired } from "../../../platform/http/errors.ts";
import * as contract from "./contract.ts";
import { openLiveClicks } from "./open.ts";

const WEBSOCKET = "websocket";

const watchClicks: RouteHandler<typeof contract.watchClicks, AuthEnv> = async (c) => {
  const asksForSocket = c.req.method === "GET" && c.req.header("Upgrade")?.toLowerCase() === WEBSOCKET;
  if (!asksForSocket) throw upgradeRequired("This path is a WebSocket. Send the header Upgrade: websocket.", WEBSOCKET);
  const webSocket = await openLiveClicks(c.get("context"), c.req.valid("query"));
  // Hono has no method for a response with a WebSocket. The headers are those that the guards set.
  return new Response(null, { status: 101, webSocket, headers: c.res.headers });
};

export const ROUTES = [route(contract.watchClicks, requireKey("clicks:read"), 30, watchClicks)];
