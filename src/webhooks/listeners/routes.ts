import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import * as contract from "./contract.ts";
import * as listeners from "./listeners.ts";
import { pollListener as poll } from "./poll.ts";

const createListener: RouteHandler<typeof contract.createListener, AuthEnv> = async (c) =>
  c.json({ listener: await listeners.createListener(c.get("context"), c.req.valid("json")) }, 201);

const LIST = "listeners";

const listListeners: RouteHandler<typeof contract.listListeners, AuthEnv> = async (c) => {
  const page = readPage(c.req.valid("query"), LIST);
  const found = await listeners.listListeners(c.get("context"), page);
  const { items, nextCursor } = toPage(found, page, LIST, ({ id }) => id);
  return c.json({ listeners: items, nextCursor }, 200);
};

const pollListener: RouteHandler<typeof contract.pollListener, AuthEnv> = async (c) =>
  c.json(await poll(c.get("context"), c.req.valid("param").id, c.req.valid("query")), 200);

const deleteListener: RouteHandler<typeof contract.deleteListener, AuthEnv> = async (c) => {
  await listeners.deleteListener(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

export const ROUTES = [
  route(contract.createListener, requireKey("webhooks:write"), 10, createListener),
  route(contract.listListeners, requireKey("webhooks:read"), 30, listListeners),
  route(contract.pollListener, requireKey("webhooks:write"), 120, pollListener),
  route(contract.deleteListener, requireKey("webhooks:write"), 10, deleteListener),
];
