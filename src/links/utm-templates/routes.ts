import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import * as contract from "./contract.ts";
import * as store from "./store.ts";
import * as templates from "./templates.ts";

const createTemplate: RouteHandler<typeof contract.createTemplate, AuthEnv> = async (c) =>
  c.json({ template: await templates.createTemplate(c.get("context"), c.req.valid("json")) }, 201);

const ORDER = "utm-templates";

const listTemplates: RouteHandler<typeof contract.listTemplates, AuthEnv> = async (c) => {
  const { db, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), ORDER);
  const rows = await store.listTemplates(db, principal.accountId, page);
  const { items, nextCursor } = toPage(rows, page, ORDER, (row) => row.id);
  return c.json({ templates: items.map(store.toTemplate), nextCursor }, 200);
};

const updateTemplate: RouteHandler<typeof contract.updateTemplate, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json({ template: await templates.updateTemplate(c.get("context"), id, c.req.valid("json")) }, 200);
};

const deleteTemplate: RouteHandler<typeof contract.deleteTemplate, AuthEnv> = async (c) => {
  await templates.deleteTemplate(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

export const ROUTES = [
  route(contract.createTemplate, requireKey("links:write"), 10, createTemplate),
  route(contract.listTemplates, requireKey("links:read"), 30, listTemplates),
  route(contract.updateTemplate, requireKey("links:write"), 10, updateTemplate),
  route(contract.deleteTemplate, requireKey("links:write"), 10, deleteTemplate),
];
