import type { RouteHandler } from "@hono/zod-openapi";
import { route } from "../../access/guards/route.ts";
import { requireMember } from "../../access/guards/session-guards.ts";
import { deleteHostCookie, readHostCookie } from "../../platform/http/cookies.ts";
import type { MemberEnv } from "../../access/guards/env.ts";
import { claimLinks as claim } from "./claims.ts";
import * as contract from "./contract.ts";
import { CLAIM_COOKIE } from "./cookie.ts";

const claimLinks: RouteHandler<typeof contract.claimLinks, MemberEnv> = async (c) => {
  const secret = readHostCookie(c, CLAIM_COOKIE);
  if (secret === undefined) return c.json({ links: [] }, 200);
  const links = await claim(c.get("context"), secret);
  if (links.length > 0) deleteHostCookie(c, CLAIM_COOKIE);
  return c.json({ links }, 200);
};

export const ROUTES = [route(contract.claimLinks, requireMember("links:write"), 20, claimLinks)];
