import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AuthEnv, MaybeAuthEnv } from "../auth/principal.ts";
import { readHostCookie, writeHostCookie } from "../http/cookies.ts";
import { invalidRequest } from "../http/errors.ts";
import { readIfMatch, setETag } from "../http/if-match.ts";
import { isSameSite } from "../http/same-site.ts";
import { readIdempotency } from "../idempotency/header.ts";
import { offerClaim } from "./claims/claims.ts";
import { getLinkRowByUrl } from "./by-url.ts";
import type * as byUrlContract from "./by-url-contract.ts";
import { CLAIM_COOKIE, claimSecretOf } from "./claims/cookie.ts";
import { syncClickCounters } from "./click-counters.ts";
import type * as contract from "./contract.ts";
import * as create from "./create.ts";
import * as remove from "./delete.ts";
import { getLinkRow } from "./get-link.ts";
import type * as listContract from "./list-contract.ts";
import * as list from "./list.ts";
import { withoutPassword } from "./password.ts";
import * as restore from "./restore.ts";
import { toLink } from "./store/row.ts";
import * as update from "./update.ts";
import * as upsert from "./upsert.ts";
import { ANONYMOUS_LINK_TTL_MS } from "./limits.ts";

export const createLink: RouteHandler<typeof contract.createLink, AuthEnv> = async (c) => {
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

export const shorten: RouteHandler<typeof contract.shorten, MaybeAuthEnv> = async (c) => {
  const context = c.get("context");
  const { principal } = context;
  const input = c.req.valid("json");
  if (principal === null && input.slug !== undefined) {
    throw invalidRequest([{ path: "slug", message: "can be chosen only with an API key" }]);
  }
  const key = c.req.valid("header")["idempotency-key"];
  if (principal === null && key !== undefined) {
    throw invalidRequest([{ path: "idempotency-key", message: "is accepted only with an API key" }]);
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

export const listLinks: RouteHandler<typeof listContract.listLinks, AuthEnv> = async (c) =>
  c.json(await list.listLinks(c.get("context"), c.req.valid("query")), 200);

export const getLink: RouteHandler<typeof contract.getLink, AuthEnv> = async (c) => {
  const context = c.get("context");
  await syncClickCounters(context);
  const row = await getLinkRow(context, c.req.valid("param").id);
  setETag(c, row.updated_at);
  return c.json({ link: toLink(row, context.baseUrl, context.now) }, 200);
};

export const getLinkByUrl: RouteHandler<typeof byUrlContract.getLinkByUrl, AuthEnv> = async (c) => {
  const context = c.get("context");
  await syncClickCounters(context);
  const row = await getLinkRowByUrl(context, c.req.valid("query").url);
  setETag(c, row.updated_at);
  return c.json({ link: toLink(row, context.baseUrl, context.now) }, 200);
};

export const updateLink: RouteHandler<typeof contract.updateLink, AuthEnv> = async (c) => {
  const context = c.get("context");
  const versions = readIfMatch(c.req.valid("header")["if-match"]);
  const row = await update.updateLink(context, c.req.valid("param").id, c.req.valid("json"), versions);
  setETag(c, row.updated_at);
  return c.json({ link: toLink(row, context.baseUrl, context.now) }, 200);
};

export const upsertLink: RouteHandler<typeof contract.upsertLink, AuthEnv> = async (c) => {
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

export const restoreLink: RouteHandler<typeof contract.restoreLink, AuthEnv> = async (c) => {
  const context = c.get("context");
  const row = await restore.restoreLink(context, c.req.valid("param").id);
  setETag(c, row.updated_at);
  return c.json({ link: toLink(row, context.baseUrl, context.now) }, 200);
};

export const deleteLink: RouteHandler<typeof contract.deleteLink, AuthEnv> = async (c) => {
  const versions = readIfMatch(c.req.valid("header")["if-match"]);
  await remove.deleteLink(c.get("context"), c.req.valid("param").id, versions);
  return c.json({ success: true as const }, 200);
};
