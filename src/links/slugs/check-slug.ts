import { invalidRequest } from "../../platform/http/errors.ts";
import { toCreateRequest } from "../create.ts";
import { refuse } from "../refusal.ts";
import { randomSlug, withSuffix } from "./random-slug.ts";
import { readSlugHolders, type SlugHolder } from "../store/slug-holders.ts";
import { NESTED_SLUGS_OFF } from "../validate.ts";
import type { SlugCheck } from "./contract.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";
import { NUMBERED_SLUG_VARIANTS } from "../limits.ts";

interface SlugToCheck {
  slug: string;
  domain?: string | undefined;
}

/**
 * Says whether the account can create a link with the slug. Throws 403 if it has not verified the domain, and 400 if the slug is nested and
 * the domain has no such slugs.
 */
export async function checkSlug(context: RequestContext, input: SlugToCheck): Promise<SlugCheck> {
  const { db, principal, baseUrl } = context;
  const { slug } = input;
  const { fields, domain = "", errors } = toCreateRequest(input, context);
  const variants = variantsOf(slug).filter(
    (variant) => toCreateRequest({ ...input, slug: variant }, context).errors.length === 0,
  );
  const found = await readSlugHolders(db, principal.accountId, domain, [slug, ...variants]);
  if (found === "domain_refused") throw refuse(found, { fields }).error;
  if (found === "nested_slugs_off") throw invalidRequest([NESTED_SLUGS_OFF]);
  const [holder = null, ...ofVariants] = found;
  // Nothing but the slug and its domain is given, so the only other error is that it is reserved.
  const result: Pick<SlugCheck, "reason" | "linkId"> =
    errors.length > 0 ? { reason: "reserved", linkId: null } : describeHolder(holder);
  const available = result.reason === null || result.reason === "deleted";
  return {
    slug,
    domain: domain === "" ? new URL(baseUrl).host : domain,
    available,
    ...result,
    suggestion: available ? null : (variants.find((_, index) => ofVariants[index] === null) ?? null),
  };
}

/** In the order in which they are suggested. The last one is random, so it is nearly always free. */
function variantsOf(slug: string): string[] {
  const numbered = Array.from({ length: NUMBERED_SLUG_VARIANTS }, (_, index) => withSuffix(slug, index + 2));
  return [...numbered, withSuffix(slug, randomSlug())];
}

function describeHolder(holder: SlugHolder | null): Pick<SlugCheck, "reason" | "linkId"> {
  if (holder === null) return { reason: null, linkId: null };
  if (!holder.isOwn) return { reason: "taken", linkId: null };
  return { reason: holder.isDeleted ? "deleted" : "own", linkId: holder.linkId };
}
