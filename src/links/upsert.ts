import type { RequestContext } from "../context.ts";
import { invalidRequest } from "../http/errors.ts";
import { MAX_CHANGE_ATTEMPTS } from "../limits.ts";
import type { UpdateLink, UpsertLink } from "./contract.ts";
import { createLinks, toCreateRequest } from "./create.ts";
import { refuse, rowOf, type LinkOutcome } from "./outcome.ts";
import { findByExternalId, findBySlug } from "./store/links.ts";
import type { LinkRow } from "./store/row.ts";
import { toUpdateRequest, updateLinks } from "./update.ts";
import type { LinkRequest } from "./validate.ts";

/**
 * Updates the link that the request names, or creates it. There is no lock: if another request creates or deletes the link
 * in the meantime, it is looked up again. Throws if the link is refused.
 */
export async function upsertLink(
  context: RequestContext,
  input: UpsertLink,
): Promise<{ isCreated: boolean; row: LinkRow }> {
  const { accountId } = context.principal;
  const request = toCreateRequest(input, context);
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt++) {
    const found = await findNamedLink(context, request);
    if (found?.account_id === accountId) {
      const update = toUpdateRequest(withoutUnchanged(input, request, found), context);
      const outcome = (await updateLinks(context, [found.id], update)).outcomes.get(found.id) ?? refuse("not_found");
      if (outcome.ok || outcome.reason !== "not_found") return { isCreated: false, row: rowOf(outcome) };
      continue;
    }
    // Checked for new links only: without `domain`, the slug of an existing link may be at another domain.
    if (request.errors.length > 0) throw invalidRequest(request.errors);
    const { outcomes } = await createLinks(context, [request]);
    const outcome = outcomes[0] as LinkOutcome;
    if (outcome.ok || !mayExistNow(outcome.reason, request, found)) return { isCreated: true, row: rowOf(outcome) };
  }
  throw refuse("changed_concurrently").error;
}

function findNamedLink(
  { env, principal }: RequestContext,
  { fields, domain = "" }: LinkRequest,
): Promise<LinkRow | null> {
  if (fields.externalId != null) return findByExternalId(env.DB, principal.accountId, fields.externalId);
  return findBySlug(env.DB, domain, fields.slug ?? "");
}

/** Whether another request may have created the link after it was looked up. */
function mayExistNow(reason: string, { fields, domain }: LinkRequest, found: LinkRow | null): boolean {
  if (fields.externalId != null) return reason === "external_id_taken";
  // At a custom domain, the link that was found may be the previous owner's, which does not keep the slug taken.
  return reason === "slug_taken" && (found === null || domain !== "");
}

/**
 * Leaves out the slug, externalId and domain that the link has already: setting them would write their indexes. A link that
 * was found by an alias keeps its slug.
 */
function withoutUnchanged(input: UpsertLink, request: LinkRequest, found: LinkRow): UpdateLink {
  const { slug, domain, externalId, ...others } = input;
  const isAlias = externalId == null && slug?.toLowerCase() !== found.slug.toLowerCase();
  return {
    ...others,
    ...(slug !== found.slug && !isAlias && { slug }),
    ...(externalId !== found.external_id && { externalId }),
    // A custom domain is kept, because setting it checks that it is still the account's.
    ...((request.domain !== "" || found.domain !== "") && { domain }),
  };
}
