import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import { readPage, toPage } from "../http/pagination.ts";
import type * as contract from "./contract.ts";
import * as store from "./store.ts";
import * as templates from "./templates.ts";

export const createTemplate: RouteHandler<typeof contract.createTemplate, AuthEnv> = async (c) =>
  c.json({ template: await templates.createTemplate(c.get("context"), c.req.valid("json")) }, 201);

const ORDER = "utm-templates";

export const listTemplates: RouteHandler<typeof contract.listTemplates, AuthEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), ORDER);
  const rows = await store.listTemplates(env.DB, principal.accountId, page);
  const { items, nextCursor } = toPage(rows, page, ORDER, (row) => row.id);
  return c.json({ templates: items.map(store.toTemplate), nextCursor }, 200);
};

export const updateTemplate: RouteHandler<typeof contract.updateTemplate, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json({ template: await templates.updateTemplate(c.get("context"), id, c.req.valid("json")) }, 200);
};

export const deleteTemplate: RouteHandler<typeof contract.deleteTemplate, AuthEnv> = async (c) => {
  await templates.deleteTemplate(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};
