import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import { readIdempotency } from "../idempotency/header.ts";
import type * as contract from "./bulk-contract.ts";
import { createLinksInBulk, deleteLinksInBulk, parseItems, toFingerprintItems, updateLinksInBulk } from "./bulk.ts";

export const createLinks: RouteHandler<typeof contract.createLinks, AuthEnv> = async (c) => {
  const context = c.get("context");
  const items = parseItems(c.req.valid("json").links);
  const key = c.req.valid("header")["idempotency-key"];
  const body = key === undefined ? null : await toFingerprintItems(items, c.env.ENCRYPTION_KEYS);
  const idempotency = await readIdempotency(context.principal.accountId, key, "POST /api/links/bulk", body);
  const { results, isReplay } = await createLinksInBulk(context, items, idempotency);
  if (isReplay) c.header("Idempotent-Replayed", "true");
  return c.json({ results }, 200);
};

export const updateLinks: RouteHandler<typeof contract.updateLinks, AuthEnv> = async (c) => {
  const { ids, changes } = c.req.valid("json");
  return c.json({ results: await updateLinksInBulk(c.get("context"), ids, changes) }, 200);
};

export const deleteLinks: RouteHandler<typeof contract.deleteLinks, AuthEnv> = async (c) =>
  c.json({ results: await deleteLinksInBulk(c.get("context"), c.req.valid("json").ids) }, 200);
