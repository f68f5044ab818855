import type { RequestContext } from "../platform/auth/principal.ts";
import type { OrphanPaths } from "../click-log/log/orphan-visits.ts";
import { clickLogOf } from "../click-log/log/stub.ts";
import { DAY_MS } from "../limits.ts";
import { readSlugHolders } from "../links/store/slug-holders.ts";
import { ANY_SLUG_PATTERN, SLUG_PATTERN, toSlugKey } from "../platform/lib/slug.ts";
import { isReservedEverywhere } from "../links/slugs/reserved-slugs.ts";
import type { OrphanVisits } from "./orphan-visits-contract.ts";
import { getDomainRow } from "./get-domain.ts";
import { MAX_LISTED_ORPHAN_PATHS } from "./limits.ts";

/**
 * The paths at which the account's domain has nothing, and their visits on the last `days` UTC days. Paths that have a link by now are
 * left out.
 */
export async function listOrphanVisits(context: RequestContext, id: string, days: number): Promise<OrphanVisits> {
  const { db, env, now, principal } = context;
  const { domain, case_sensitive, nested_slugs } = await getDomainRow(context, id);
  const { paths, others } = await clickLogOf(env, principal.accountId).readOrphanVisits(domain, days);
  const listed = merge(paths, case_sensitive === 1).slice(0, MAX_LISTED_ORPHAN_PATHS);
  const form = nested_slugs === 1 ? ANY_SLUG_PATTERN : SLUG_PATTERN;
  const isSlug = (path: string) => form.test(path) && !isReservedEverywhere(path);
  const slugs = listed.flatMap(({ path }) => (isSlug(path) ? [path] : []));
  const holders = slugs.length === 0 ? [] : await readSlugHolders(db, principal.accountId, domain, slugs);
  const linked = new Set(
    slugs.filter((_, position) => {
      const holder = typeof holders === "string" ? undefined : holders[position];
      return holder?.isOwn === true && !holder.isDeleted;
    }),
  );
  return {
    from: (Math.floor(now / DAY_MS) - days + 1) * DAY_MS,
    paths: listed
      .filter(({ path }) => !linked.has(path))
      .map(({ path, visits, lastDay }) => ({
        path,
        slug: isSlug(path) ? path : null,
        visits,
        lastVisitedOn: lastDay * DAY_MS,
      })),
    others,
  };
}

/** Paths that differ only in case are one, unless the domain is case-sensitive. It is written as it is visited most. */
function merge(paths: OrphanPaths["paths"], isCaseSensitive: boolean): OrphanPaths["paths"] {
  const byKey = new Map<string, OrphanPaths["paths"][number]>();
  for (const each of paths) {
    const key = toSlugKey(each.path, isCaseSensitive);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { ...each });
    else {
      known.visits += each.visits;
      known.lastDay = Math.max(known.lastDay, each.lastDay);
    }
  }
  return [...byKey.values()].toSorted((a, b) => b.visits - a.visits);
}
