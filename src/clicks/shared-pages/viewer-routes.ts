import type { RouteHandler } from "@hono/zod-openapi";
import { allowAnonymous } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { HttpEnv } from "../../platform/http/context.ts";
import { enterPassword } from "./enter-password.ts";
import { readSharedClicks, viewPage } from "./view.ts";
import * as contract from "./viewer-contract.ts";

// No request here acts for a person: the cookie opens one page for reading, and the session's cookie is not read. So a
// request that another site makes a browser send can do no more than one without cookies, and its answer stays unread.

const viewSharedPage: RouteHandler<typeof contract.viewSharedPage, HttpEnv> = async (c) =>
  c.json({ page: await viewPage(c.get("context"), c.req.raw, c.req.valid("param").token) }, 200);

const enterSharedPassword: RouteHandler<typeof contract.enterSharedPassword, HttpEnv> = async (c) => {
  const { password } = c.req.valid("json");
  const cookie = await enterPassword(c.get("context"), c.req.raw, c.req.valid("param").token, password);
  if (cookie !== null) c.header("Set-Cookie", cookie);
  return c.json({ success: true as const }, 200);
};

const getSharedClicks: RouteHandler<typeof contract.getSharedClicks, HttpEnv> = async (c) => {
  const { token } = c.req.valid("param");
  return c.json({ clicks: await readSharedClicks(c.get("context"), c.req.raw, token, c.req.valid("query")) }, 200);
};

export const ROUTES = [
  route(contract.viewSharedPage, allowAnonymous, 60, viewSharedPage),
  route(contract.enterSharedPassword, allowAnonymous, 10, enterSharedPassword),
  route(contract.getSharedClicks, allowAnonymous, 30, getSharedClicks),
];
