import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import * as contract from "./contract.ts";
import { toSharedPage } from "./serialize.ts";
import * as pages from "./shared-pages.ts";
import { listSharedPages as list } from "./store/pages.ts";

const createSharedPage: RouteHandler<typeof contract.createSharedPage, AuthEnv> = async (c) => {
  const context = c.get("context");
  const row = await pages.createSharedPage(context, c.req.valid("json"));
  return c.json({ sharedPage: await toSharedPage(context, row) }, 201);
};

const LIST = "sharedPages";

const listSharedPages: RouteHandler<typeof contract.listSharedPages, AuthEnv> = async (c) => {
  const context = c.get("context");
  const page = readPage(c.req.valid("query"), LIST);
  const rows = await list(c.get("context").db, context.principal.accountId, page);
  const { items, nextCursor } = toPage(rows, page, LIST, (row) => row.id);
  const sharedPages = await Promise.all(items.map((row) => toSharedPage(context, row)));
  return c.json({ sharedPages, nextCursor }, 200);
};

const getSharedPage: RouteHandler<typeof contract.getSharedPage, AuthEnv> = async (c) => {
  const context = c.get("context");
  const row = await pages.getSharedPage(context, c.req.valid("param").id);
  return c.json({ sharedPage: await toSharedPage(context, row) }, 200);
};

const updateSharedPage: RouteHandler<typeof contract.updateSharedPage, AuthEnv> = async (c) => {
  const context = c.get("context");
  const row = await pages.updateSharedPage(context, c.req.valid("param").id, c.req.valid("json"));
  return c.json({ sharedPage: await toSharedPage(context, row) }, 200);
};

const deleteSharedPage: RouteHandler<typeof contract.deleteSharedPage, AuthEnv> = async (c) => {
  await pages.deleteSharedPage(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

export const ROUTES = [
  route(contract.createSharedPage, requireKey("links:write", "clicks:read"), 10, createSharedPage),
  route(contract.listSharedPages, requireKey("clicks:read"), 30, listSharedPages),
  route(contract.getSharedPage, requireKey("clicks:read"), 60, getSharedPage),
  route(contract.updateSharedPage, requireKey("links:write", "clicks:read"), 10, updateSharedPage),
  route(contract.deleteSharedPage, requireKey("links:write", "clicks:read"), 10, deleteSharedPage),
];
