import { conflict, forbidden, invalidRequest } from "../http/errors.ts";
import { findAnswer, replay, type Idempotency } from "../http/idempotency.ts";
import { newId } from "../lib/uuid.ts";
import { ANONYMOUS_LINK_TTL_MS, MAX_SLUG_ATTEMPTS } from "../limits.ts";
import type { CreateLink, Link, UpdateLink } from "./contract.ts";
import { leadsBack } from "./destination.ts";
import { isReserved, randomSlug } from "./slug.ts";
import { insertLink } from "./insert.ts";
import { tagsToText, toJson, toLink, type LinkRow } from "./row.ts";

export interface Creation {
  /** Null: the link belongs to nobody. */
  accountId: number | null;
  idempotency: Idempotency | null;
  now: number;
  baseUrl: string;
}

export interface Made<T> {
  response: T;
  /** Whether an earlier request with the same Idempotency-Key made the link. */
  replayed: boolean;
  /** The webhooks that are told of it. */
  webhookIds: string[];
}

/** Makes a link and its answer, `toResponse(link)`; with an Idempotency-Key that was used before, gives the first answer. */
export async function makeLink<T>(
  db: D1Database,
  creation: Creation,
  input: CreateLink,
  toResponse: (link: Link) => T,
): Promise<Made<T>> {
  const { now, baseUrl, idempotency } = creation;
  const refusal = refusalOf(input, baseUrl, now);
  if (refusal !== null) {
    // What was right when it was first sent, such as a time in the future, may be wrong when it is repeated.
    const earlier = idempotency === null ? null : await findAnswer(db, idempotency, now);
    if (earlier === null || idempotency === null) throw refusal;
    return { response: JSON.parse(replay(earlier, idempotency)) as T, replayed: true, webhookIds: [] };
  }
  for (let attempt = 1; attempt <= MAX_SLUG_ATTEMPTS; attempt++) {
    const row = toRow(creation, input, input.slug ?? randomSlug());
    const response = toResponse(toLink(row, baseUrl, now));
    const answer = idempotency === null ? null : { idempotency, response };
    const result = await insertLink(db, row, answer, { id: newId(now), now, baseUrl });
    if (result.outcome === "created") return { response, replayed: false, webhookIds: result.webhookIds };
    if (result.outcome === "answered" && idempotency !== null) {
      return { response: JSON.parse(replay(result, idempotency)) as T, replayed: true, webhookIds: [] };
    }
    if (result.outcome === "external_id_taken") throw externalIdTaken(input.externalId);
    if (result.outcome === "slug_taken" && input.slug !== undefined) throw slugTaken(input.slug);
  }
  throw new Error(`no free slug in ${MAX_SLUG_ATTEMPTS} attempts`);
}

export const slugTaken = (slug: string | undefined) => conflict(`The slug ${slug} is taken. Choose another one.`);
export const externalIdTaken = (externalId: string | null | undefined) =>
  conflict(`Another link of this account has the externalId ${externalId}.`);

function refusalOf(input: CreateLink, baseUrl: string, now: number): Error | null {
  const faults = findFaults(input, baseUrl, now);
  if (faults.length > 0) return invalidRequest(faults);
  if (input.domain === undefined || input.domain.toLowerCase() === new URL(baseUrl).host) return null;
  return forbidden(`${input.domain} is not a verified domain of this account.`);
}

/** Refuses fields of a link that do not fulfil what goes beyond their own form. */
export function checkLink(input: UpdateLink, baseUrl: string, now: number): void {
  const faults = findFaults(input, baseUrl, now);
  if (faults.length > 0) throw invalidRequest(faults);
}

function findFaults(input: UpdateLink, baseUrl: string, now: number): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = [];
  for (const [path, destination] of destinationsOf(input)) {
    if (leadsBack(destination, baseUrl)) faults.push({ path, message: "must not lead back to this service" });
  }
  if (input.slug !== undefined && isReserved(input.slug)) {
    faults.push({ path: "slug", message: "is a word that the service keeps for itself" });
  }
  if (input.expiresAt != null && input.expiresAt <= now) {
    faults.push({ path: "expiresAt", message: "must be in the future (in milliseconds, if it is a number)" });
  }
  return faults;
}

/** Every address that visitors may be sent to, with its place in the request. */
function destinationsOf(input: UpdateLink): [path: string, destination: string][] {
  const { url, expiredUrl, ios, android, geo, rules } = input;
  const inGeo = Object.entries(geo ?? {}).map(([country, target]) => [`geo.${country}`, target]);
  const inRules = (rules ?? []).map((rule, index) => [`rules.${index}.url`, rule.url]);
  const all = [["url", url], ["expiredUrl", expiredUrl], ["ios", ios], ["android", android], ...inGeo, ...inRules];
  return all.filter((entry): entry is [string, string] => entry[1] != null);
}

function toRow({ accountId, now }: Creation, input: CreateLink, slug: string): LinkRow {
  return {
    id: newId(now),
    account_id: accountId,
    domain: "",
    slug,
    url: input.url,
    title: input.title ?? null,
    tags: tagsToText(input.tags ?? []),
    expires_at: accountId === null ? now + ANONYMOUS_LINK_TTL_MS : (input.expiresAt ?? null),
    expired_url: input.expiredUrl ?? null,
    max_clicks: input.maxClicks ?? null,
    visits: 0,
    external_id: input.externalId ?? null,
    password_hash: null,
    ios: input.ios ?? null,
    android: input.android ?? null,
    geo: toJson(input.geo),
    rules: toJson(input.rules),
    preview: toJson(input.preview),
    clicks: 0,
    last_clicked_at: 0,
    redirect_status: input.redirectStatus ?? 302,
    created_at: now,
    updated_at: now,
  };
}
