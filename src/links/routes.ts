import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import { acceptKey, requireKey } from "../access/guards/api-guards.ts";
import { failClosed, findsOut, route } from "../access/guards/route.ts";
import { BODY_BOUNDS, BULK_BODY_BOUNDS } from "../platform/http/body.ts";
import type { AuthEnv, MaybeAuthEnv } from "../platform/auth/principal.ts";
import { readHostCookie, writeHostCookie } from "../platform/http/cookies.ts";
import { invalidField } from "../platform/http/errors.ts";
import { readIfMatch, setETag } from "../platform/http/if-match.ts";
import { isSameSite } from "../platform/http/origin.ts";
import { hasBodyOver } from "../platform/http/passed-call.ts";
import { readIdempotency } from "../platform/idempotency/header.ts";
import { offerClaim } from "./claims/claims.ts";
import * as bulkContract from "./bulk-calls-contract.ts";
import {
  createLinksInBulk,
  deleteLinksInBulk,
  parseItems,
  toFingerprintItems,
  updateLinksInBulk,
} from "./bulk-calls.ts";
import { getLinkRowByUrl } from "./by-url.ts";
import { CLAIM_COOKIE, claimSecretOf } from "./claims/cookie.ts";
import { syncClickCounters } from "./click-counters.ts";
import * as contract from "./contract.ts";
import * as create from "./create.ts";
import * as remove from "./delete.ts";
import { getLinkRow } from "./get-link.ts";
import * as listContract from "./list-contract.ts";
import * as list from "./list.ts";
import { withoutPassword } from "./password.ts";
import * as restore from "./restore.ts";
import { toLink } from "./store/row.ts";
import * as update from "./update.ts";
import * as upsert from "./upsert.ts";
import { ANONYMOUS_LINK_TTL_MS, MAX_OWN_CREATION_BYTES, MAX_OWN_IDS_BYTES } from "./limits.ts";

const createLink: RouteHandler<typeof contract.createLink, AuthEnv> = async (c) => {
  const context = c.get("context");
  const input = c.req.valid("json");
  const key = c.req.valid("header")["idempotency-key"];
  const body = await withoutPassword(input, c.env.ENCRYPTION_KEYS);
  const idempotency = await readIdempotency(context.principal.accountId, key, "POST /api/links", body);
  const { response, isReplay } = await create.createLink(context, input, idempotency, (link) => ({ link }));
  if (isReplay) c.header("Idempotent-Replayed", "true");
  setETag(c, response.link.updatedAt);
  return c.json(response, 201);
};

const shorten: RouteHandler<typeof contract.shorten, MaybeAuthEnv> = async (c) => {
  const context = c.get("context");
  const { principal } = context;
  const input = c.req.valid("json");
  if (principal === null && input.slug !== undefined) {
    throw invalidField("slug", "needs_key");
  }
  const key = c.req.valid("header")["idempotency-key"];
  if (principal === null && key !== undefined) {
    throw invalidField("idempotency-key", "needs_key");
  }
  const idempotency = principal && (await readIdempotency(principal.accountId, key, "POST /api/shorten", input));
  const { response, isReplay } = await create.createLink(context, input, idempotency, (link) => ({
    shortUrl: link.shortUrl,
    link,
  }));
  if (isReplay) c.header("Idempotent-Replayed", "true");
  if (principal === null) await letBrowserClaim(c, response.link.id);
  setETag(c, response.link.updatedAt);
  return c.json(response, 201);
};

/** Gives a browser on the service's own pages the cookie with which its person can claim the link. Programs get none. */
async function letBrowserClaim(c: Context<MaybeAuthEnv>, linkId: string): Promise<void> {
  const context = c.get("context");
  if (!isSameSite(c.req.raw.headers, context.baseUrl)) return;
  const secret = claimSecretOf(readHostCookie(c, CLAIM_COOKIE));
  if (await offerClaim(context, linkId, secret)) writeHostCookie(c, CLAIM_COOKIE, secret, ANONYMOUS_LINK_TTL_MS);
}

const listLinks: RouteHandler<typeof listContract.listLinks, AuthEnv> = async (c) =>
  c.json(await list.listLinks(c.get("context"), c.req.valid("query")), 200);

const getLink: RouteHandler<typeof contract.getLink, AuthEnv> = async (c) => {
  const context = c.get("context");
  await syncClickCounters(context);
  const row = await getLinkRow(context, c.req.valid("param").id);
  setETag(c, row.updated_at);
  return c.json({ link: toLink(row, context.baseUrl, context.now) }, 200);
};

const getLinkByUrl: RouteHandler<typeof contract.getLinkByUrl, AuthEnv> = async (c) => {
  const context = c.get("context");
  await syncClickCounters(context);
  const row = await getLinkRowByUrl(context, c.req.valid("query").url);
  setETag(c, row.updated_at);
  return c.json({ link: toLink(row, context.baseUrl, context.now) }, 200);
};

const updateLink: RouteHandler<typeof contract.updateLink, AuthEnv> = async (c) => {
  const context = c.get("context");
  const versions = readIfMatch(c.req.valid("header")["if-match"]);
  const row = await update.updateLink(context, c.req.valid("param").id, c.req.valid("json"), versions);
  setETag(c, row.updated_at);
  return c.json({ link: toLink(row, context.baseUrl, context.now) }, 200);
};

const upsertLink: RouteHandler<typeof contract.upsertLink, AuthEnv> = async (c) => {
  const context = c.get("context");
  const input = c.req.valid("json");
  const key = c.req.valid("header")["idempotency-key"];
  const body = await withoutPassword(input, c.env.ENCRYPTION_KEYS);
  const idempotency = await readIdempotency(context.principal.accountId, key, "PUT /api/links/upsert", body);
  const { status, response, isReplay } = await upsert.upsertLink(context, input, idempotency);
  if (isReplay) c.header("Idempotent-Replayed", "true");
  setETag(c, response.link.updatedAt);
  return c.json(response, status);
};

const restoreLink: RouteHandler<typeof contract.restoreLink, AuthEnv> = async (c) => {
  const context = c.get("context");
  const row = await restore.restoreLink(context, c.req.valid("param").id);
  setETag(c, row.updated_at);
  return c.json({ link: toLink(row, context.baseUrl, context.now) }, 200);
};

const deleteLink: RouteHandler<typeof contract.deleteLink, AuthEnv> = async (c) => {
  const versions = readIfMatch(c.req.valid("header")["if-match"]);
  await remove.deleteLink(c.get("context"), c.req.valid("param").id, versions);
  return c.json({ success: true as const }, 200);
};

const createLinks: RouteHandler<typeof bulkContract.createLinks, AuthEnv> = async (c) => {
  const context = c.get("context");
  const items = parseItems(c.req.valid("json").links);
  const key = c.req.valid("header")["idempotency-key"];
  const body = key === undefined ? null : await toFingerprintItems(items, c.env.ENCRYPTION_KEYS);
  const idempotency = await readIdempotency(context.principal.accountId, key, "POST /api/links/bulk", body);
  const { results, isReplay } = await createLinksInBulk(context, items, idempotency);
  if (isReplay) c.header("Idempotent-Replayed", "true");
  return c.json({ results }, 200);
};

const updateLinks: RouteHandler<typeof bulkContract.updateLinks, AuthEnv> = async (c) => {
  const { ids, changes } = c.req.valid("json");
  return c.json({ results: await updateLinksInBulk(c.get("context"), ids, changes) }, 200);
};

const deleteLinks: RouteHandler<typeof bulkContract.deleteLinks, AuthEnv> = async (c) =>
  c.json({ results: await deleteLinksInBulk(c.get("context"), c.req.valid("json").ids) }, 200);

const isLargeCreation = hasBodyOver(MAX_OWN_CREATION_BYTES);
const hasManyIds = hasBodyOver(MAX_OWN_IDS_BYTES);

export const ROUTES = [
  route(contract.createLink, requireKey("links:write"), 10, createLink),
  route(listContract.listLinks, requireKey("links:read"), 30, listLinks, BODY_BOUNDS, findsOut),
  route(bulkContract.createLinks, requireKey("links:write"), 2, createLinks, BULK_BODY_BOUNDS, isLargeCreation),
  route(bulkContract.updateLinks, requireKey("links:write"), 2, updateLinks, BODY_BOUNDS, hasManyIds),
  route(bulkContract.deleteLinks, requireKey("links:write"), 2, deleteLinks, BODY_BOUNDS, hasManyIds),
  route(contract.upsertLink, requireKey("links:write"), 10, upsertLink),
  route(contract.getLinkByUrl, requireKey("links:read"), 60, getLinkByUrl),
  route(contract.getLink, requireKey("links:read"), 60, getLink),
  route(contract.updateLink, requireKey("links:write"), 10, updateLink),
  route(contract.deleteLink, requireKey("links:write"), 10, deleteLink),
  route(contract.restoreLink, requireKey("links:write"), 10, restoreLink),
  route(contract.shorten, acceptKey("links:write"), { authenticated: 30, anonymous: failClosed(5) }, shorten),
];
