import type { Context } from "hono";
import type { AuthEnv } from "../auth/principal.ts";
import { syncClickCounters } from "./click-counters.ts";
import { conflict, invalidRequest } from "../http/errors.ts";
import { isId, newId } from "../lib/uuid.ts";
import { MAX_CHANGE_ATTEMPTS } from "../limits.ts";
import { toEntry, toTombstone } from "../redirect/lookup/entry.ts";
import { publishEntry } from "../redirect/lookup/resolve.ts";
import * as check from "./validate.ts";
import type { UpdateLink } from "./contract.ts";
import type { Place } from "./store/remove-previous-owner-links.ts";
import { toDomain } from "./domain.ts";
import type { Utm } from "./fields.ts";
import { linkNotFound, linkForbidden } from "./get-link.ts";
import { toPasswordHash } from "./password.ts";
import { tagsToText, toJson, type LinkRow } from "./store/row.ts";
import { findLink, type LinkChanges } from "./store/links.ts";
import { updateLink, type Change, type UpdateOutcome } from "./store/update.ts";
import { addUtm } from "./utm.ts";
import { wake } from "./notify-webhooks.ts";

/** What a change needs of a request. */
export type ChangeContext = Pick<Context<AuthEnv>, "env" | "executionCtx" | "get">;

/** Changes the caller's link, tells webhooks and visitors, and answers it as it is then. */
export async function changeLink(c: ChangeContext, id: string, input: UpdateLink): Promise<LinkRow> {
  const row = await changeIfThere(c, id, input);
  if (row === null) throw linkNotFound();
  return row;
}

/** The same, or null where there is no such link. */
export async function changeIfThere(c: ChangeContext, id: string, given: UpdateLink): Promise<LinkRow | null> {
  const now = c.get("context").now;
  const baseUrl = c.get("context").baseUrl;
  const input = check.withCampaign(given);
  const domain = input.domain === undefined ? undefined : toDomain(input.domain, baseUrl);
  const faults = check.findFaults(input, domain, { now, baseUrl });
  if (faults.length > 0) throw invalidRequest(faults);
  if (!isId(id)) return null;
  await syncClickCounters(c.get("context"));

  const change = { columns: await toChanges(input, domain), hosts: check.hostsOf(input) };
  const result = await apply(c, id, input, change);
  if (result === null) return null;
  const { before, after, served, webhookIds } = result;
  wake(c, webhookIds);
  if (served) await publishEntry(after.domain, after.slug, toEntry(after, now), now);
  if (before.domain !== after.domain || before.slug.toLowerCase() !== after.slug.toLowerCase()) {
    await publishEntry(before.domain, before.slug, toTombstone(after, now), now);
  }
  return after;
}

type Updated = Extract<UpdateOutcome, { outcome: "updated" }>;

async function apply(c: ChangeContext, id: string, input: UpdateLink, wanted: Change): Promise<Updated | null> {
  const { DB } = c.env;
  const { accountId } = c.get("context").principal;
  let change = wanted;
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt++) {
    if (input.utm !== undefined && input.url === undefined) {
      const present = await findLink(DB, id);
      if (present === null) return null;
      if (present.account_id !== accountId) throw linkForbidden();
      change = withPresentUrl(change, present.url, input.utm);
    }
    const event = { id: newId(c.get("context").now), now: c.get("context").now, baseUrl: c.get("context").baseUrl };
    const result = await updateLink(DB, accountId, id, change, event);
    if (result.outcome === "updated") return result;
    if (result.outcome === "not_found") return null;
    if (result.outcome === "changed_meanwhile") continue;
    const place = result.outcome === "slug_taken" ? await placeAfter(DB, id, wanted) : null;
    // A custom domain may have changed hands, the service's own never does.
    const mayBeLeft = place !== null && place.domain !== "" && change.contested === undefined;
    if (!mayBeLeft) throw refusalOf(result, input, place?.slug);
    change = { ...change, contested: place };
  }
  throw conflict("Others are changing this link at the same time. Try again.");
}

/** A campaign that comes without a URL goes into the one that the link has. */
function withPresentUrl(change: Change, url: string, utm: Utm): Change {
  const merged = addUtm(url, utm);
  const faults = check.findUtmFaults(merged);
  if (faults.length > 0) throw invalidRequest(faults);
  return { ...change, columns: { ...change.columns, url: merged }, fromUrl: url };
}

/** Where the link is to be. */
async function placeAfter(db: D1Database, id: string, { columns }: Change): Promise<Place | null> {
  const link = await findLink(db, id);
  return link === null ? null : { domain: columns.domain ?? link.domain, slug: columns.slug ?? link.slug };
}

type Refusal = Exclude<UpdateOutcome, { outcome: "updated" | "not_found" | "changed_meanwhile" }>;

function refusalOf(refusal: Refusal, input: UpdateLink, slug: string | undefined): Error {
  if (refusal.outcome === "leads_back") return check.leadsToDomain(input, refusal.hosts);
  const errors = {
    forbidden: linkForbidden,
    slug_taken: () => check.slugTaken(slug),
    external_id_taken: () => check.externalIdTaken(input.externalId),
    domain_refused: () => check.domainRefused(input.domain),
    slug_reserved: check.slugReserved,
  };
  return errors[refusal.outcome]();
}

/** The columns of the fields that were given; null clears one. */
export async function toChanges(input: UpdateLink, domain?: string): Promise<LinkChanges> {
  const changes: Record<string, string | number | null | undefined> = {
    url: input.url,
    slug: input.slug,
    domain,
    title: input.title,
    tags: input.tags === undefined ? undefined : tagsToText(input.tags ?? []),
    expires_at: input.expiresAt,
    expired_url: input.expiredUrl,
    max_clicks: input.maxClicks,
    external_id: input.externalId,
    password_hash: await toPasswordHash(input.password),
    redirect_status: input.redirectStatus,
    ios: input.ios,
    android: input.android,
    geo: input.geo === undefined ? undefined : toJson(input.geo),
    rules: input.rules === undefined ? undefined : toJson(input.rules),
    preview: input.preview === undefined ? undefined : toJson(input.preview),
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
