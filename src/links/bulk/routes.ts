import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../../auth/principal.ts";
import { changeMany } from "./update.ts";
import type * as contract from "./contract.ts";
import { createMany } from "./create.ts";
import { deleteMany } from "./delete.ts";

export const createLinks: RouteHandler<typeof contract.createLinks, AuthEnv> = async (c) =>
  c.json({ results: await createMany(c, c.req.valid("json").links) }, 200);

export const updateLinks: RouteHandler<typeof contract.updateLinks, AuthEnv> = async (c) => {
  const { ids, changes } = c.req.valid("json");
  return c.json({ results: await changeMany(c, ids, changes) }, 200);
};

export const deleteLinks: RouteHandler<typeof contract.deleteLinks, AuthEnv> = async (c) =>
  c.json({ results: await deleteMany(c, c.req.valid("json").ids) }, 200);
