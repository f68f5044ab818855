import { findInMemory, resolveLink, type LinkLookup, type ResolvedLink } from "./resolve.ts";

/** Finds the link as a visitor would, without using one of its limited visits. */
export async function peekLink(
  env: Env,
  ctx: ExecutionContext,
  lookup: Omit<LinkLookup, "usesVisit">,
): Promise<ResolvedLink> {
  const { domain, slug, now } = lookup;
  const cached = findInMemory(domain, slug, now);
  if (cached !== undefined) return { outcome: "found", entry: cached.entry };
  return resolveLink(env, ctx, { ...lookup, usesVisit: () => Promise.resolve(false) });
}
