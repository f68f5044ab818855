import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AuthEnv } from "../auth/principal.ts";
import { conflict, forbidden, invalidRequest, limitReached, notFound } from "../http/errors.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { seal } from "../lib/encryption.ts";
import { isId, newId } from "../lib/uuid.ts";
import { isVerifiedDomain } from "../domains/verified.ts";
import { MAX_WEBHOOKS_PER_ACCOUNT, OLD_SECRET_TTL_MS } from "../limits.ts";
import type * as contract from "./contract.ts";
import * as log from "./store/deliveries.ts";
import { createUrlGuard, checkHost, notPublic, urlError, type UrlGuard } from "./delivery/url-guard.ts";
import { notifyWebhooks } from "../outbox/messages.ts";
import { ping } from "./delivery/ping.ts";
import { generateSecret, startOf } from "./secret.ts";
import * as store from "./store/webhooks.ts";

export const createWebhook: RouteHandler<typeof contract.createWebhook, AuthEnv> = async (c) => {
  const { url, events, linkIds = null, tags = null } = c.req.valid("json");
  await checkUrl(url, guardFor(c));
  const now = c.get("context").now;
  const id = newId(now);
  const secret = generateSecret();
  const row = await store.insertWebhook(
    c.env.DB,
    {
      id,
      accountId: c.get("context").principal.accountId,
      url,
      events,
      linkIds,
      tags,
      secret: await seal(c.env.ENCRYPTION_KEYS, secret, id),
      secretStart: startOf(secret),
    },
    now,
  );
  if (row === null)
    throw limitReached(
      `This account has ${MAX_WEBHOOKS_PER_ACCOUNT} webhooks, the most there can be. Delete one first.`,
    );
  return c.json({ webhook: withSecret(row, secret) }, 201);
};

/** The one form that shows the secret, and the fields of a creation's answer (4.1). */
function withSecret(row: store.WebhookRow, secret: string) {
  const { disabledReason: _, disabledAt: __, lastTriggeredAt: ___, ...webhook } = store.toWebhook(row);
  return { ...webhook, secret };
}

const ORDER = "webhooks";

export const listWebhooks: RouteHandler<typeof contract.listWebhooks, AuthEnv> = async (c) => {
  const page = readPage(c.req.valid("query"), ORDER);
  const rows = await store.listWebhooks(c.env.DB, c.get("context").principal.accountId, page);
  const { items, nextCursor } = toPage(rows, page, ORDER, (row) => row.id);
  return c.json({ webhooks: items.map(store.toWebhook), nextCursor }, 200);
};

export const getWebhook: RouteHandler<typeof contract.getWebhook, AuthEnv> = async (c) => {
  return c.json({ webhook: store.toWebhook(await getOwnWebhook(c, c.req.valid("param").id)) }, 200);
};

export const updateWebhook: RouteHandler<typeof contract.updateWebhook, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  const { url, events, linkIds, tags, status } = c.req.valid("json");
  if (url !== undefined) await checkUrl(url, guardFor(c));
  const changes = {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events: JSON.stringify(events) }),
    ...(linkIds === undefined ? {} : { link_ids: store.toJson(linkIds) }),
    ...(tags === undefined ? {} : { tags: store.toJson(tags) }),
    ...(status === undefined ? {} : { status }),
  };
  if (!isId(id)) throw noSuchWebhook();
  const row = changed(
    await store.updateWebhook(c.env.DB, c.get("context").principal.accountId, id, changes, c.get("context").now),
  );
  // Reactivated, or moved to another receiver: what waited may go.
  if (row.status === "active") wake(c, id);
  return c.json({ webhook: store.toWebhook(row) }, 200);
};

export const deleteWebhook: RouteHandler<typeof contract.deleteWebhook, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  const outcome = isId(id)
    ? await store.deleteWebhook(c.env.DB, c.get("context").principal.accountId, id)
    : "not_found";
  if (outcome === "not_found") throw noSuchWebhook();
  if (outcome === "forbidden") throw notYours();
  return c.json({ success: true as const }, 200);
};

export const testWebhook: RouteHandler<typeof contract.testWebhook, AuthEnv> = async (c) => {
  const row = await getOwnWebhook(c, c.req.valid("param").id);
  const { ok, status, statusText } = await ping(c.env, row, guardFor(c), c.get("context").now);
  // A success ends the waiting of what is due.
  if (ok) wake(c, row.id);
  return c.json(
    ok ? { success: true as const, status } : { success: false as const, status, statusText: statusText ?? "" },
    200,
  );
};

export const listDeliveries: RouteHandler<typeof contract.listDeliveries, AuthEnv> = async (c) => {
  const row = await getOwnWebhook(c, c.req.valid("param").id);
  const order = `deliveries.${row.id}`;
  const page = readPage(c.req.valid("query"), order);
  const deliveries = await log.listDeliveries(c.env.DB, row.id, page);
  const { items, nextCursor } = toPage(deliveries, page, order, (delivery) => delivery.id);
  return c.json({ deliveries: items, nextCursor }, 200);
};

export const retryDelivery: RouteHandler<typeof contract.retryDelivery, AuthEnv> = async (c) => {
  const { id, deliveryId } = c.req.valid("param");
  const row = await getOwnWebhook(c, id);
  const result = isId(deliveryId)
    ? await log.retryDelivery(c.env.DB, row.id, deliveryId, c.get("context").now)
    : ({ outcome: "not_found" } as const);
  if (result.outcome === "not_found")
    throw notFound("This webhook has no such delivery. Of clicks that were delivered, the event is not kept.");
  if (result.outcome === "inactive") throw isInactive();
  wake(c, row.id);
  return c.json({ delivery: result.delivery }, 200);
};

export const retryFailedDeliveries: RouteHandler<typeof contract.retryFailedDeliveries, AuthEnv> = async (c) => {
  const row = await getOwnWebhook(c, c.req.valid("param").id);
  const retried = await log.retryFailed(c.env.DB, row.id, c.req.valid("json").since, c.get("context").now);
  if (retried === null) throw isInactive();
  if (retried > 0) wake(c, row.id);
  return c.json({ retried }, 200);
};

export const rotateSecret: RouteHandler<typeof contract.rotateSecret, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  if (!isId(id)) throw noSuchWebhook();
  const secret = generateSecret();
  const row = changed(
    await store.replaceSecret(c.env.DB, c.get("context").principal.accountId, id, {
      secret: await seal(c.env.ENCRYPTION_KEYS, secret, id),
      secretStart: startOf(secret),
      oldUntil: c.get("context").now + OLD_SECRET_TTL_MS,
    }),
  );
  return c.json({ webhook: withSecret(row, secret) }, 200);
};

const noSuchWebhook = () => notFound("There is no such webhook.");
const notYours = () => forbidden("This webhook belongs to another account.");
const isInactive = () => conflict("This webhook is inactive. Set its status to active first.");

/** The account's webhook with this id; 404 where there is none, 403 where it is someone else's. */
async function getOwnWebhook(c: Context<AuthEnv>, id: string): Promise<store.WebhookRow> {
  const row = isId(id) ? await store.findWebhook(c.env.DB, id) : null;
  if (row === null) throw noSuchWebhook();
  if (row.account_id !== c.get("context").principal.accountId) throw notYours();
  return row;
}

function changed(result: store.ChangeOutcome): store.WebhookRow {
  if (result.outcome === "not_found") throw noSuchWebhook();
  if (result.outcome === "forbidden") throw notYours();
  return result.row;
}

function guardFor(c: Context<AuthEnv>): UrlGuard {
  return createUrlGuard(c.env, c.get("context").baseUrl, (host) => isVerifiedDomain(c.env.DB, host));
}

/** Refuses a URL that is not public. A name that does not resolve may do so later, and is looked up before each attempt. */
async function checkUrl(url: string, guard: UrlGuard): Promise<void> {
  const fault = urlError(url, guard) ?? (await faultOfHost(url, guard));
  if (fault !== null) throw invalidRequest([{ path: "url", message: fault }]);
}

async function faultOfHost(url: string, guard: UrlGuard): Promise<string | null> {
  const verdict = await checkHost(new URL(url), guard);
  if (verdict === "own") return "must not lead back to this service";
  return verdict === "blocked" ? notPublic(guard) : null;
}

function wake(c: Context<AuthEnv>, webhookId: string): void {
  c.executionCtx.waitUntil(notifyWebhooks(c.env.DELIVERIES, [webhookId]));
}
