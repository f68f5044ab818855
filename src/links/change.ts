import type { Context } from "hono";
import type { AuthEnv } from "../auth/principal.ts";
import { bringCountersForward } from "../clicks/counters.ts";
import type { HttpEnv } from "../http/context.ts";
import { isId, newId } from "../lib/uuid.ts";
import { toEntry, toTombstone } from "../redirect/entry.ts";
import { publishEntry } from "../redirect/resolve.ts";
import { sendWakeUps } from "../webhooks/messages.ts";
import type { UpdateLink } from "./contract.ts";
import { checkLink, externalIdTaken, slugTaken } from "./create.ts";
import type { LinkEvent } from "./events.ts";
import { noSuchLink, notYours } from "./own.ts";
import { tagsToText, toJson, type LinkRow } from "./row.ts";
import { updateLink, type LinkChanges } from "./store.ts";

/** Changes the caller's link, reports it and has visitors get the change; answers the link after it. */
export async function changeLink(
  c: Pick<Context<AuthEnv>, "env" | "executionCtx" | "get">,
  id: string,
  input: UpdateLink,
): Promise<LinkRow> {
  const { now, baseUrl } = times(c);
  checkLink(input, baseUrl, now);
  if (!isId(id)) throw noSuchLink();
  const { accountId } = c.get("principal");
  await bringCountersForward(c.env, accountId, c.executionCtx);
  const result = await updateLink(c.env.DB, accountId, id, toChanges(input), event(c));
  if (result.outcome === "not_found") throw noSuchLink();
  if (result.outcome === "forbidden") throw notYours();
  if (result.outcome === "slug_taken") throw slugTaken(input.slug);
  if (result.outcome === "external_id_taken") throw externalIdTaken(input.externalId);

  const { before, after } = result;
  wake(c, result.webhookIds);
  await publishEntry(after.domain, after.slug, toEntry(after, now), now);
  if (before.slug.toLowerCase() !== after.slug.toLowerCase()) {
    await publishEntry(before.domain, before.slug, toTombstone(after, now), now);
  }
  return after;
}

/** Has the senders of these webhooks look at once what the change owes them. */
export function wake(c: Pick<Context<HttpEnv>, "env" | "executionCtx">, webhookIds: string[]): void {
  if (webhookIds.length > 0) c.executionCtx.waitUntil(sendWakeUps(c.env.DELIVERIES, webhookIds));
}

export function event(c: { get: Context<HttpEnv>["get"] }): LinkEvent {
  return { id: newId(c.get("now")), ...times(c) };
}

export function times(c: { get: Context<HttpEnv>["get"] }) {
  return { now: c.get("now"), baseUrl: c.get("baseUrl") };
}

/** The columns of the fields that were given; null clears one. */
function toChanges(input: UpdateLink): LinkChanges {
  const changes: Record<string, string | number | null | undefined> = {
    url: input.url,
    slug: input.slug,
    title: input.title,
    tags: input.tags === undefined ? undefined : tagsToText(input.tags ?? []),
    expires_at: input.expiresAt,
    expired_url: input.expiredUrl,
    max_clicks: input.maxClicks,
    external_id: input.externalId,
    redirect_status: input.redirectStatus,
    ios: input.ios,
    android: input.android,
    geo: input.geo === undefined ? undefined : toJson(input.geo),
    rules: input.rules === undefined ? undefined : toJson(input.rules),
    preview: input.preview === undefined ? undefined : toJson(input.preview),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
