import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AuthEnv, MaybeAuthEnv } from "../auth/principal.ts";
import { syncClickCounters } from "./click-counters.ts";
import { deleteClicksOfLinks } from "./deleted-links.ts";
import type { HttpEnv } from "../http/context.ts";
import { invalidRequest } from "../http/errors.ts";
import { readIdempotency } from "../idempotency/header.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { isId, newId } from "../lib/uuid.ts";
import { toTombstone } from "../redirect/lookup/entry.ts";
import { publishEntry } from "../redirect/lookup/resolve.ts";
import type * as contract from "./contract.ts";
import { changeLink } from "./update.ts";
import { makeLink, publishNew, type Made } from "./create.ts";
import { toDomain } from "./domain.ts";
import type { LinkEvent } from "./store/events.ts";
import * as list from "./store/list.ts";
import { getLinkRow, linkNotFound, linkForbidden } from "./get-link.ts";
import { withoutPassword } from "./password.ts";
import { toLink } from "./store/row.ts";
import * as store from "./store/links.ts";
import { upsert } from "./upsert.ts";
import { wake } from "./notify-webhooks.ts";

export const createLink: RouteHandler<typeof contract.createLink, AuthEnv> = async (c) => {
  const input = c.req.valid("json");
  const { accountId } = c.get("context").principal;
  const idempotency = await readIdempotency(
    accountId,
    c.req.valid("header")["idempotency-key"],
    "POST /api/links",
    await withoutPassword(input, c.env.ENCRYPTION_KEYS),
  );
  const made = await makeLink(c.env.DB, { ...times(c), accountId, idempotency }, input, (link) => ({ link }));
  return c.json(await responseOf(c, made), 201);
};

export const shorten: RouteHandler<typeof contract.shorten, MaybeAuthEnv> = async (c) => {
  const input = c.req.valid("json");
  const accountId = c.get("context").principal?.accountId ?? null;
  if (accountId === null && input.slug !== undefined) {
    throw invalidRequest([{ path: "slug", message: "can be chosen only with an API key" }]);
  }
  const key = c.req.valid("header")["idempotency-key"];
  const idempotency = accountId === null ? null : await readIdempotency(accountId, key, "POST /api/shorten", input);
  const made = await makeLink(c.env.DB, { ...times(c), accountId, idempotency }, input, (link) => ({
    shortUrl: link.shortUrl,
    link,
  }));
  return c.json(await responseOf(c, made), 201);
};

async function responseOf<T>(
  c: Pick<Context<HttpEnv>, "env" | "executionCtx" | "header" | "get">,
  { response, row, webhookIds }: Made<T>,
): Promise<T> {
  wake(c, webhookIds);
  if (row === null) c.header("Idempotent-Replayed", "true");
  else await publishNew(row, c.get("context").now);
  return response;
}

export const listLinks: RouteHandler<typeof contract.listLinks, AuthEnv> = async (c) => {
  const query = c.req.valid("query");
  const { now, baseUrl } = times(c);
  const { sort = "createdAt", order = "desc" } = query;
  const listOrder = `links.${sort}.${order}`;
  const page = readPage(query, listOrder);
  const domain = query.domain === undefined ? undefined : toDomain(query.domain, baseUrl);
  const filter = { search: query.search, tag: query.tag, status: query.status, domain, sort, order };
  const { accountId } = c.get("context").principal;
  await syncClickCounters(c.get("context"));
  const { rows, webhookIds } = await list.listLinks(c.env.DB, accountId, filter, page, { now, baseUrl });
  wake(c, webhookIds);
  const { items, nextCursor } = toPage(rows, page, listOrder, (row) => list.keyIn(sort, row));
  return c.json({ links: items.map((row) => toLink(row, baseUrl, now)), nextCursor }, 200);
};

export const getLink: RouteHandler<typeof contract.getLink, AuthEnv> = async (c) => {
  await syncClickCounters(c.get("context"));
  const row = await getLinkRow(c.get("context"), c.req.valid("param").id);
  const { now, baseUrl } = times(c);
  return c.json({ link: toLink(row, baseUrl, now) }, 200);
};

export const updateLink: RouteHandler<typeof contract.updateLink, AuthEnv> = async (c) => {
  const { now, baseUrl } = times(c);
  const row = await changeLink(c, c.req.valid("param").id, c.req.valid("json"));
  return c.json({ link: toLink(row, baseUrl, now) }, 200);
};

export const upsertLink: RouteHandler<typeof contract.upsertLink, AuthEnv> = async (c) => {
  const { now, baseUrl } = times(c);
  const { created, row } = await upsert(c, c.req.valid("json"));
  return c.json({ link: toLink(row, baseUrl, now) }, created ? 201 : 200);
};

export const deleteLink: RouteHandler<typeof contract.deleteLink, AuthEnv> = async (c) => {
  const { id } = c.req.valid("param");
  const { accountId } = c.get("context").principal;
  // The event tells of the link as it was.
  await syncClickCounters(c.get("context"));
  const result = isId(id)
    ? await store.deleteLink(c.env.DB, accountId, id, event(c))
    : ({ outcome: "not_found" } as const);
  if (result.outcome === "not_found") throw linkNotFound();
  if (result.outcome === "forbidden") throw linkForbidden();
  const { before } = result;
  wake(c, result.webhookIds);
  const now = c.get("context").now;
  await publishEntry(before.domain, before.slug, toTombstone(before, now), now);
  c.executionCtx.waitUntil(deleteClicksOfLinks(c.get("context"), [id]));
  return c.json({ success: true as const }, 200);
};

function event(c: { get: Context<HttpEnv>["get"] }): LinkEvent {
  return { id: newId(c.get("context").now), ...times(c) };
}

function times(c: { get: Context<HttpEnv>["get"] }) {
  return { now: c.get("context").now, baseUrl: c.get("context").baseUrl };
}
