import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../access/guards/api-guards.ts";
import { failClosed, route } from "../access/guards/route.ts";
import type { AuthEnv } from "../platform/auth/principal.ts";
import { readPage, toPage } from "../platform/http/pagination.ts";
import * as contract from "./contract.ts";
import * as deliveryContract from "./delivery-contract.ts";
import { ping } from "./delivery/ping.ts";
import { getDelivery as findDelivery } from "./get-delivery.ts";
import * as retry from "./retry-deliveries.ts";
import * as get from "./get-webhook.ts";
import * as lifecycle from "./lifecycle.ts";
import * as deliveries from "./store/read-delivery-log.ts";
import { toWebhook, type WebhookRow } from "./store/row.ts";
import { listWebhooks as list } from "./store/read.ts";

const createWebhook: RouteHandler<typeof contract.createWebhook, AuthEnv> = async (c) => {
  const { row, secret } = await lifecycle.createWebhook(c.get("context"), c.req.valid("json"));
  return c.json({ webhook: withSecret(row, secret) }, 201);
};

/** The fields of the response to a creation, with the secret in full. */
function withSecret(row: WebhookRow, secret: string) {
  const { disabledReason: _, disabledAt: __, lastTriggeredAt: ___, ...webhook } = toWebhook(row);
  return { ...webhook, secret };
}

const LIST = "webhooks";

const listWebhooks: RouteHandler<typeof contract.listWebhooks, AuthEnv> = async (c) => {
  const page = readPage(c.req.valid("query"), LIST);
  const rows = await list(c.get("context").db, c.get("context").principal.accountId, page);
  const { items, nextCursor } = toPage(rows, page, LIST, (row) => row.id);
  return c.json({ webhooks: items.map(toWebhook), nextCursor }, 200);
};

const getWebhook: RouteHandler<typeof contract.getWebhook, AuthEnv> = async (c) => {
  const row = await get.getWebhook(c.get("context"), c.req.valid("param").id);
  return c.json({ webhook: toWebhook(row) }, 200);
};

const updateWebhook: RouteHandler<typeof contract.updateWebhook, AuthEnv> = async (c) => {
  const row = await lifecycle.updateWebhook(c.get("context"), c.req.valid("param").id, c.req.valid("json"));
  return c.json({ webhook: toWebhook(row) }, 200);
};

const deleteWebhook: RouteHandler<typeof contract.deleteWebhook, AuthEnv> = async (c) => {
  await lifecycle.deleteWebhook(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

const testWebhook: RouteHandler<typeof contract.testWebhook, AuthEnv> = async (c) => {
  const context = c.get("context");
  const { ok, record } = await ping(context, await get.getWebhook(context, c.req.valid("param").id));
  const { status, statusText } = record;
  return c.json(
    ok ? { success: true as const, status } : { success: false as const, status, statusText: statusText ?? "" },
    200,
  );
};

const listDeliveries: RouteHandler<typeof deliveryContract.listDeliveries, AuthEnv> = async (c) => {
  const webhook = await get.getWebhook(c.get("context"), c.req.valid("param").id);
  const order = `deliveries.${webhook.id}`;
  const { limit, cursor, page: number, ...filters } = c.req.valid("query");
  const page = readPage({ limit, cursor, page: number }, order);
  const rows = await deliveries.listDeliveries(c.get("context").db, webhook.id, filters, page);
  const { items, nextCursor } = toPage(rows, page, order, (delivery) => delivery.id);
  return c.json({ deliveries: items, nextCursor }, 200);
};

const getDelivery: RouteHandler<typeof deliveryContract.getDelivery, AuthEnv> = async (c) => {
  const { id, deliveryId } = c.req.valid("param");
  return c.json({ delivery: await findDelivery(c.get("context"), id, deliveryId) }, 200);
};

const retryDelivery: RouteHandler<typeof deliveryContract.retryDelivery, AuthEnv> = async (c) => {
  const { id, deliveryId } = c.req.valid("param");
  return c.json({ delivery: await retry.retryDelivery(c.get("context"), id, deliveryId) }, 200);
};

const retryDeliveries: RouteHandler<typeof deliveryContract.retryDeliveries, AuthEnv> = async (c) => {
  const { since } = c.req.valid("json");
  const retried = await retry.retryDeliveries(c.get("context"), c.req.valid("param").id, since);
  return c.json({ retried }, 200);
};

const rotateSecret: RouteHandler<typeof contract.rotateSecret, AuthEnv> = async (c) => {
  const { row, secret } = await lifecycle.rotateSecret(c.get("context"), c.req.valid("param").id);
  return c.json({ webhook: withSecret(row, secret) }, 200);
};

export const ROUTES = [
  route(contract.createWebhook, requireKey("webhooks:write"), 10, createWebhook),
  route(contract.listWebhooks, requireKey("webhooks:read"), 30, listWebhooks),
  route(contract.getWebhook, requireKey("webhooks:read"), 60, getWebhook),
  route(contract.updateWebhook, requireKey("webhooks:write"), 10, updateWebhook),
  route(contract.deleteWebhook, requireKey("webhooks:write"), 10, deleteWebhook),
  route(contract.testWebhook, requireKey("webhooks:write"), failClosed(5), testWebhook),
  route(deliveryContract.listDeliveries, requireKey("webhooks:read"), 30, listDeliveries),
  route(deliveryContract.getDelivery, requireKey("webhooks:read"), 60, getDelivery),
  route(deliveryContract.retryDeliveries, requireKey("webhooks:write"), 10, retryDeliveries),
  route(deliveryContract.retryDelivery, requireKey("webhooks:write"), 10, retryDelivery),
  route(contract.rotateSecret, requireKey("webhooks:write"), 10, rotateSecret),
];
