import { invalidRequest, type ErrorDetail } from "../http/errors.ts";
import type { Idempotency } from "../idempotency/store.ts";
import { replay } from "../idempotency/header.ts";
import { findResponse } from "../idempotency/store.ts";
import { newId } from "../lib/uuid.ts";
import { ANONYMOUS_LINK_TTL_MS, MAX_SLUG_ATTEMPTS } from "../limits.ts";
import { toEntry } from "../redirect/lookup/entry.ts";
import { publishEntry } from "../redirect/lookup/resolve.ts";
import {
  domainRefused,
  externalIdTaken,
  findFaults,
  hostsOf,
  leadsToDomain,
  slugTaken,
  withCampaign,
} from "./validate.ts";
import type { CreateLink, Link } from "./contract.ts";
import { toDomain } from "./domain.ts";
import { insertLinks, type InsertOutcome, type NewLink } from "./store/insert.ts";
import { toPasswordHash } from "./password.ts";
import { tagsToText, toJson, toLink, type LinkRow } from "./store/row.ts";
import { randomSlug } from "./slug.ts";

export interface Creation {
  /** Null: the link belongs to nobody. */
  accountId: number | null;
  now: number;
  baseUrl: string;
}

export interface Made<T> {
  response: T;
  /** Null: an earlier request with the same Idempotency-Key made the link. */
  row: LinkRow | null;
  /** The webhooks that are told of it. */
  webhookIds: string[];
}

/** Makes a link and its answer, `toResponse(link)`; with an Idempotency-Key that was used before, gives the first answer. */
export async function makeLink<T>(
  db: D1Database,
  creation: Creation & { idempotency: Idempotency | null },
  input: CreateLink,
  toResponse: (link: Link) => T,
): Promise<Made<T>> {
  const { now, baseUrl, idempotency } = creation;
  const draft = toDraft(creation, input);
  if (draft.faults.length > 0) {
    // What was right when it was first sent, such as a time in the future, may be wrong when it is repeated.
    const earlier = idempotency === null ? null : await findResponse(db, idempotency, now);
    if (earlier === null || idempotency === null) throw invalidRequest(draft.faults);
    return { response: JSON.parse(replay(earlier, idempotency)) as T, row: null, webhookIds: [] };
  }
  const passwordHash = await hashOf(draft);
  for (let attempt = 1; attempt <= MAX_SLUG_ATTEMPTS; attempt++) {
    const link = toNewLink(creation, draft, passwordHash, newId(now));
    const response = toResponse(toLink(link.row, baseUrl, now));
    const answer = idempotency === null ? null : { idempotency, response };
    const event = { id: newId(now), now, baseUrl };
    const { outcomes, webhookIds, answered } = await insertLinks(db, creation.accountId, [link], answer, event);
    if (answered !== null && idempotency !== null) {
      return { response: JSON.parse(replay(answered, idempotency)) as T, row: null, webhookIds: [] };
    }
    const outcome = outcomes[0] as InsertOutcome;
    if (outcome.outcome === "created") return { response, row: link.row, webhookIds };
    const refusal = refusalOf(outcome, draft);
    if (refusal !== null) throw refusal;
  }
  throw new Error(`no free slug in ${MAX_SLUG_ATTEMPTS} attempts`);
}

/** A link at a custom domain may take the place of one that its former holder left, and that is still remembered. */
export async function publishNew(row: LinkRow, now: number): Promise<void> {
  if (row.domain !== "") await publishEntry(row.domain, row.slug, toEntry(row, now), now);
}

/** A link that a request asks for. */
export interface Draft {
  fields: CreateLink;
  domain: string;
  hosts: string[];
  /** What is wrong with it; of what the database knows nothing. */
  faults: ErrorDetail[];
}

export function toDraft(creation: Creation, input: CreateLink): Draft {
  const fields = withCampaign(input);
  const domain = input.domain === undefined ? "" : toDomain(input.domain, creation.baseUrl);
  return { fields, domain, hosts: hostsOf(fields), faults: findFaults(fields, domain, creation) };
}

/** Why the link was not stored, or null where another slug or id may do. */
export function refusalOf(outcome: InsertOutcome, { fields }: Draft): Error | null {
  if (outcome.outcome === "domain_refused") return domainRefused(fields.domain);
  if (outcome.outcome === "leads_back") return leadsToDomain(fields, outcome.hosts);
  if (outcome.outcome === "external_id_taken") return externalIdTaken(fields.externalId);
  if (outcome.outcome === "slug_taken" && fields.slug !== undefined) return slugTaken(fields.slug);
  return null;
}

/** The column of the draft's password. It takes about a tenth of a second of computing time. */
export async function hashOf({ fields }: Draft): Promise<string | null> {
  return (await toPasswordHash(fields.password)) ?? null;
}

/** The draft as a link to store, with a slug of its own where none was chosen. */
export function toNewLink(
  { accountId, now }: Creation,
  draft: Draft,
  passwordHash: string | null,
  id: string,
): NewLink {
  const { fields: input, domain, hosts } = draft;
  const row: LinkRow = {
    id,
    account_id: accountId,
    domain,
    slug: input.slug ?? randomSlug(),
    url: input.url,
    title: input.title ?? null,
    tags: tagsToText(input.tags ?? []),
    expires_at: accountId === null ? now + ANONYMOUS_LINK_TTL_MS : (input.expiresAt ?? null),
    expired_url: input.expiredUrl ?? null,
    max_clicks: input.maxClicks ?? null,
    visits: 0,
    external_id: input.externalId ?? null,
    password_hash: passwordHash,
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
  return { row, hosts };
}
