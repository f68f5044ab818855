import type { RouteHandler } from "@hono/zod-openapi";
import type { MemberEnv } from "../../access/guards/env.ts";
import { route } from "../../access/guards/route.ts";
import { requireMember } from "../../access/guards/session-guards.ts";
import { getLinkRow } from "../get-link.ts";
import * as contract from "./contract.ts";
import { iconResponse } from "./icon.ts";

const getLinkIcon: RouteHandler<typeof contract.getLinkIcon, MemberEnv> = async (c) => {
  const context = c.get("context");
  return iconResponse(context, await getLinkRow(context, c.req.valid("param").id));
};

export const ROUTES = [
  route(contract.getLinkIcon, requireMember("links:read"), { perMinute: 300, failsClosed: true }, getLinkIcon),
];
