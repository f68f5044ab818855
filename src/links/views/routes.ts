import type { RouteHandler } from "@hono/zod-openapi";
import type { MemberEnv } from "../../access/guards/env.ts";
import { route } from "../../access/guards/route.ts";
import { requireMember } from "../../access/guards/session-guards.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import * as contract from "./contract.ts";
import * as store from "./store.ts";
import * as views from "./views.ts";

const createView: RouteHandler<typeof contract.createView, MemberEnv> = async (c) =>
  c.json({ view: await views.createView(c.get("context"), c.req.valid("json")) }, 201);

const ORDER = "saved-views";

const listViews: RouteHandler<typeof contract.listViews, MemberEnv> = async (c) => {
  const context = c.get("context");
  const { kind, ...query } = c.req.valid("query");
  const page = readPage(query, ORDER);
  const rows = await store.listViews(context.db, views.viewerOf(context), kind, page);
  const { items, nextCursor } = toPage(rows, page, ORDER, ({ id }) => id);
  return c.json({ views: items.map(store.toView), nextCursor }, 200);
};

const updateView: RouteHandler<typeof contract.updateView, MemberEnv> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json({ view: await views.updateView(c.get("context"), id, c.req.valid("json")) }, 200);
};

const deleteView: RouteHandler<typeof contract.deleteView, MemberEnv> = async (c) => {
  await views.deleteView(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

export const ROUTES = [
  route(contract.createView, requireMember("links:read"), 20, createView),
  route(contract.listViews, requireMember("links:read"), 60, listViews),
  route(contract.updateView, requireMember("links:read"), 20, updateView),
  route(contract.deleteView, requireMember("links:read"), 20, deleteView),
];
