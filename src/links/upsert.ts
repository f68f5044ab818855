import { invalidRequest } from "../platform/http/errors.ts";
import { replay } from "../platform/idempotency/header.ts";
import { findResponse, type Idempotency, type StoredResponse } from "../platform/idempotency/store/responses.ts";
import { MAX_CHANGE_ATTEMPTS } from "../limits.ts";
import type { Link, UpdateLink, UpsertLink } from "./contract.ts";
import { createLinks, toUpsertRequest } from "./create.ts";
import { refuse, rowOf, type LinkOutcome } from "./refusal.ts";
import { keyOf } from "./aliases.ts";
import { findByExternalId, findBySlug, isKeptForOthers } from "./store/links.ts";
import { toLink, type LinkRow } from "./store/row.ts";
import { toUpdateRequest, updateLinks } from "./update.ts";
import type { LinkRequest } from "./validate.ts";
import type { RequestContext } from "../platform/auth/principal.ts";

interface Upserted {
  /** 201 if the link was created. */
  status: 200 | 201;
  response: { link: Link };
  isReplay: boolean;
}

/**
 * Updates the link that the request names, or creates it. There is no lock: if another request creates or deletes the link
 * in the meantime, it is looked up again. Returns the first response if the request repeats an earlier one. Throws if the
 * link is refused.
 */
export async function upsertLink(
  context: RequestContext,
  input: UpsertLink,
  idempotency: Idempotency | null,
): Promise<Upserted> {
  const { db, now, principal } = context;
  // A repeated request may have become invalid.
  const stored = idempotency && (await findResponse(db, idempotency, now));
  if (stored !== null && idempotency !== null) return toReplay(stored, idempotency);
  const { accountId } = principal;
  const request = toUpsertRequest(input, context);
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt++) {
    const found = await findNamedLink(context, request);
    if (found?.account_id === accountId) {
      const update = toUpdateRequest(withoutUnchanged(input, request, found), context);
      const { outcomes, earlier } = await updateLinks(context, [found.id], update, { idempotency });
      if (earlier !== null && idempotency !== null) return toReplay(earlier, idempotency);
      const outcome = outcomes.get(found.id) ?? refuse("not_found");
      if (outcome.ok || outcome.reason !== "not_found") return toUpserted(200, outcome, context);
      continue;
    }
    // Checked for new links only: without `domain`, the slug of an existing link may be at another domain.
    if (request.errors.length > 0) throw invalidRequest(request.errors);
    const toStore = idempotency && { idempotency, toResponse: (link: Link) => ({ link }) };
    const { outcomes, earlier } = await createLinks(context, [request], toStore);
    if (earlier !== null && idempotency !== null) return toReplay(earlier, idempotency);
    const outcome = outcomes[0] as LinkOutcome;
    if (outcome.ok || !(await mayExistNow(context, outcome.reason, request, found)))
      return toUpserted(201, outcome, context);
  }
  throw refuse("changed_concurrently").error;
}

function toUpserted(status: 200 | 201, outcome: LinkOutcome, { baseUrl, now }: RequestContext): Upserted {
  return { status, response: { link: toLink(rowOf(outcome), baseUrl, now) }, isReplay: false };
}

function toReplay(stored: StoredResponse, idempotency: Idempotency): Upserted {
  const response = JSON.parse(replay(stored, idempotency)) as Upserted["response"];
  return { status: stored.status === 200 ? 200 : 201, response, isReplay: true };
}

function findNamedLink(
  { db, principal }: RequestContext,
  { fields, domain = "" }: LinkRequest,
): Promise<LinkRow | null> {
  if (fields.externalId != null) return findByExternalId(db, principal.accountId, fields.externalId);
  return findBySlug(db, principal.accountId, domain, fields.slug ?? "");
}

/** Whether another request may have created the link after it was looked up. */
async function mayExistNow(
  { db, principal }: RequestContext,
  reason: string,
  { fields, domain = "" }: LinkRequest,
  found: LinkRow | null,
): Promise<boolean> {
  if (fields.externalId != null) return reason === "external_id_taken";
  if (reason !== "slug_taken") return false;
  // At a custom domain, the link that was found may be the previous owner's, which does not keep the slug taken.
  if (domain !== "") return true;
  return found === null && !(await isKeptForOthers(db, principal.accountId, fields.slug ?? ""));
}

/**
 * Leaves out the slug, externalId and domain that the link has already: setting them would write their indexes. A link that
 * was found by an alias keeps its slug.
 */
function withoutUnchanged(input: UpsertLink, request: LinkRequest, found: LinkRow): UpdateLink {
  const { slug, domain, externalId, ...others } = input;
  const isAlias = externalId == null && slug !== undefined && keyOf(found, slug) !== keyOf(found, found.slug);
  return {
    ...others,
    ...(slug !== found.slug && !isAlias && { slug }),
    ...(externalId !== found.external_id && { externalId }),
    // A custom domain is kept, because setting it checks that it is still the account's.
    ...((request.domain !== "" || found.domain !== "") && { domain }),
  };
}
