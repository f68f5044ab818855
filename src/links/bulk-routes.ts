import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import type * as contract from "./bulk-contract.ts";
import { createLinksInBulk, deleteLinksInBulk, updateLinksInBulk } from "./bulk.ts";

export const createLinks: RouteHandler<typeof contract.createLinks, AuthEnv> = async (c) =>
  c.json({ results: await createLinksInBulk(c.get("context"), c.req.valid("json").links) }, 200);

export const updateLinks: RouteHandler<typeof contract.updateLinks, AuthEnv> = async (c) => {
  const { ids, changes } = c.req.valid("json");
  return c.json({ results: await updateLinksInBulk(c.get("context"), ids, changes) }, 200);
};

export const deleteLinks: RouteHandler<typeof contract.deleteLinks, AuthEnv> = async (c) =>
  c.json({ results: await deleteLinksInBulk(c.get("context"), c.req.valid("json").ids) }, 200);
