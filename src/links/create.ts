import { starterOf } from "../platform/auth/still-allowed.ts";
import { replay } from "../platform/idempotency/header.ts";
import { findResponse, type Idempotency, type StoredResponse } from "../platform/idempotency/store/responses.ts";
import type { Journal } from "../platform/idempotency/store/journal.ts";
import { hashPassword } from "../platform/lib/password.ts";
import { newIds } from "../platform/lib/uuid.ts";
import type { Fault } from "../platform/http/faults.ts";
import { publishLinks } from "../redirect/lookup/publish.ts";
import { withinCreationLimit } from "../access/usage/creation-limit.ts";
import type { CreationLimit } from "../access/usage/store.ts";
import type { CreateLink, Link, UpdateLink } from "./contract.ts";
import { checks } from "./checks.ts";
import { toStoredDomain } from "./domain.ts";
import { refuse, rowOf, type LinkOutcome } from "./refusal.ts";
import { randomSlug } from "./slugs/random-slug.ts";
import type { NewLink } from "./decide.ts";
import { insertLinks } from "./insert-links.ts";
import { creatorColumns } from "./creator.ts";
import { toAllColumns, toLink, type LinkRow } from "./store/row.ts";
import { screenFields, screenStranger, watchLinks } from "./screening.ts";
import { toLinkRequest, type LinkRequest } from "./validate.ts";
import type { Principal, RequestContext } from "../platform/auth/principal.ts";
import { ANONYMOUS_LINK_TTL_MS, MAX_SLUG_ATTEMPTS } from "./limits.ts";

type CreateContext = RequestContext<Principal | null>;

export function toCreateRequest<Fields extends UpdateLink>(input: Fields, context: CreateContext): LinkRequest<Fields> {
  return toRequest({ ...context.principal?.linkDefaults, ...input }, context);
}

/** As {@link toCreateRequest} for a link that may exist: its domain, which helps to find it, has no default. */
export function toUpsertRequest(input: CreateLink, context: CreateContext): LinkRequest<CreateLink> {
  return toRequest({ ...context.principal?.linkDefaults, domain: undefined, ...input }, context);
}

function toRequest<Fields extends UpdateLink>(input: Fields, context: CreateContext): LinkRequest<Fields> {
  const home = context.principal === null ? context.env.ANONYMOUS_HOST : "";
  const domain = input.domain === undefined ? home : toStoredDomain(input.domain, context.baseUrl);
  if (context.principal === null && domain !== home) throw refuse("domain_refused", { fields: input }).error;
  return toLinkRequest(input, domain, context);
}

/**
 * Creates a link. Returns `toResponse(link)`, or the first response if the request repeats an earlier one. Throws if
 * the link is refused.
 */
export async function createLink<T>(
  context: CreateContext,
  input: CreateLink,
  idempotency: Idempotency | null,
  toResponse: (link: Link) => T,
): Promise<{ response: T; isReplay: boolean }> {
  const { db, now, baseUrl } = context;
  const request = toCreateRequest(input, context);
  const { outcomes, earlier } =
    request.errors.length === 0
      ? await createLinks(context, [request], idempotency && { idempotency, toResponse })
      : // A repeated request may have become invalid, such as one with an `expiresAt` that has passed.
        {
          outcomes: [refuse("invalid", request)],
          earlier: idempotency && (await findResponse(db, idempotency, now)),
        };
  if (earlier !== null && idempotency !== null) {
    return { response: JSON.parse(replay(earlier, idempotency)) as T, isReplay: true };
  }
  return { response: toResponse(toLink(rowOf(outcomes[0]), baseUrl, now)), isReplay: false };
}

interface ToStore {
  idempotency: Idempotency;
  toResponse: (link: Link) => unknown;
}

interface Creation {
  outcomes: LinkOutcome[];
  earlier: StoredResponse | null;
}

interface PendingLink {
  index: number;
  request: LinkRequest<CreateLink>;
  /** Its destinations that are blocked. */
  blocked: Fault[];
  /** Of a link without an account: screening found nothing wrong. */
  hasPassed: boolean;
}

/**
 * Creates the links that can be created, in one transaction. Returns an outcome for each request, in order; the
 * requests must be valid. With `toStore`, the response to the single request is stored for its Idempotency-Key. With
 * `journal`, the attempts are recorded for the key of a bulk request. If an earlier request had the same key, nothing
 * is created and what is stored for it is returned. Throws 429 if the account creates too many links.
 */
export async function createLinks(
  context: CreateContext,
  requests: readonly LinkRequest<CreateLink>[],
  toStore: ToStore | null = null,
  journal: Journal | null = null,
): Promise<Creation> {
  const { outcomes, earlier } = await withinCreationLimit(context, requests.length, (creationLimit) =>
    storeLinks(context, requests, { toStore, journal, creationLimit }),
  );
  watchLinks(
    context,
    outcomes.flatMap((outcome) => (outcome.ok ? [outcome.row.id] : [])),
  );
  // A link at a custom domain may replace a link of the domain's previous owner that the caches still have.
  const atDomains = outcomes.flatMap((outcome) =>
    outcome.ok && context.principal !== null && outcome.row.domain !== "" ? [outcome.row] : [],
  );
  await publishLinks(
    context,
    atDomains.map((row) => ({ row, domain: row.domain, slugs: [row.slug], isGone: false })),
  );
  return { outcomes, earlier };
}

interface StoreOptions {
  toStore: ToStore | null;
  journal: Journal | null;
  creationLimit: CreationLimit | null;
}

async function storeLinks(
  context: CreateContext,
  requests: readonly LinkRequest<CreateLink>[],
  { toStore, journal, creationLimit }: StoreOptions,
): Promise<Creation> {
  const { now, baseUrl, principal } = context;
  const outcomes = requests.map(({ fields }): LinkOutcome =>
    refuse(fields.slug === undefined ? "no_free_slug" : "changed_concurrently"),
  );
  let pending = await screenRequests(context, requests);
  const ofKey = toStore && {
    idempotency: toStore.idempotency,
    toResponse: (row: LinkRow) => toStore.toResponse(toLink(row, baseUrl, now)),
  };
  const unlimited = creationLimit && { ...creationLimit, perMinute: Number.MAX_SAFE_INTEGER };
  let isUntrusted = principal?.isUntrusted ?? false;
  // Links that nothing is in the way of, or only a random slug, are tried again.
  for (let attempt = 1; attempt <= MAX_SLUG_ATTEMPTS && pending.length > 0; attempt++) {
    const ids = newIds(now, pending.length);
    const links = await Promise.all(pending.map((link, n) => toNewLink(context, link, ids[n] as string)));
    const inserted = await insertLinks(context, principal?.accountId ?? null, links, {
      isUntrusted,
      // A single link is likely to replace nothing.
      replaces: attempt > 1 || requests.length > 1,
      toStore: ofKey,
      journaled: journal && { journal, attempt },
      // The rest of a call of which some links are stored is not refused.
      creationLimit: outcomes.some(({ ok }) => ok) ? unlimited : creationLimit,
    });
    ({ isUntrusted } = inserted);
    if (inserted.earlier !== null) return { outcomes, earlier: inserted.earlier };
    pending = pending.filter(({ index, request }, n) => {
      const outcome = inserted.outcomes[n] ?? null;
      if (outcome === null || (!outcome.ok && outcome.reason === "slug_taken" && request.fields.slug === undefined))
        return true;
      outcomes[index] = outcome;
      return false;
    });
  }
  return { outcomes, earlier: null };
}

async function screenRequests(
  context: CreateContext,
  requests: readonly LinkRequest<CreateLink>[],
): Promise<PendingLink[]> {
  const all = requests.map(({ fields }) => fields);
  const [first] = all;
  if (context.principal === null && first !== undefined) {
    // Without an account, links are created one by one.
    const { errors, hasPassed } = await screenStranger(context, first);
    return requests.map((request, index) => ({ index, request, blocked: errors, hasPassed }));
  }
  const blocked = await screenFields(context, all);
  return requests.map((request, index) => ({ index, request, blocked: blocked[index] ?? [], hasPassed: false }));
}

/** A link as it will be stored. */
export async function toNewLink(
  { env, principal, isBurst = false, now, baseUrl }: CreateContext,
  { request: { fields, domain = "", hosts }, blocked, hasPassed }: Omit<PendingLink, "index">,
  id: string,
): Promise<NewLink> {
  const accountId = principal?.accountId ?? null;
  const expiresAt = fields.expiresAt ?? (accountId === null ? now + ANONYMOUS_LINK_TTL_MS : null);
  const row: LinkRow = {
    ...toAllColumns({ ...fields, slug: fields.slug ?? randomSlug(), expiresAt }),
    id,
    account_id: accountId,
    domain,
    case_sensitive: 0, // unless the domain has another rule
    aliases: null,
    password_hash: fields.password == null ? null : await hashPassword(env.ENCRYPTION_KEYS, id, fields.password),
    status: "active",
    visits: 0,
    clicks: 0,
    last_clicked_at: 0,
    imported_clicks: 0,
    password_attacked_at: null,
    ...creatorColumns(principal && starterOf(principal)),
    verdict: accountId === null ? checks().verdictOfStranger({ baseUrl, isBurst, hasPassed }) : 0,
    created_at: now,
    updated_at: now,
  };
  return { row, fields, hosts, blocked };
}
