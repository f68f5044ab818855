import type { ServiceContext } from "../context.ts";
import { isId } from "../lib/uuid.ts";
import { publishLinks } from "../redirect/lookup/publish.ts";
import { slugsOf } from "./aliases.ts";
import { VERDICTS_PER_BATCH } from "./limits.ts";
import {
  storeVerdicts,
  trustLinks,
  type GivenVerdict,
  type JudgedLink,
  type VerdictOptions,
} from "./store/verdicts.ts";
import type { LinkRow } from "./store/row.ts";

/**
 * Sets the verdicts of links of any accounts, by their ids, emits `link.update` for those that change and publishes them to
 * the caches of this data centre. Returns the changed links. May be repeated after a failure.
 */
export async function setVerdicts(
  context: ServiceContext,
  verdicts: ReadonlyMap<string, GivenVerdict>,
  options: VerdictOptions = {},
): Promise<LinkRow[]> {
  const all = [...verdicts].filter(([id]) => isId(id));
  const changed: LinkRow[] = [];
  for (let start = 0; start < all.length; start += VERDICTS_PER_BATCH) {
    const rows = await storeVerdicts(context, new Map(all.slice(start, start + VERDICTS_PER_BATCH)), options);
    await publishJudged(context, rows);
    changed.push(...rows);
  }
  return changed;
}

/**
 * Trusts the links of an account that is trusted now, at most {@link VERDICTS_PER_BATCH}, as {@link setVerdicts} does. Returns
 * their number.
 */
export async function trustLinksOf(context: ServiceContext, accountId: number): Promise<number> {
  const rows = await trustLinks(context, accountId);
  await publishJudged(context, rows);
  return rows.length;
}

async function publishJudged(context: ServiceContext, rows: readonly JudgedLink[]): Promise<void> {
  const reachable = rows.filter((row) => row.is_reachable === 1 || row.domain === context.env.ANONYMOUS_HOST);
  await publishLinks(
    context,
    reachable.map((row) => ({ row, domain: row.domain, slugs: slugsOf(row), isGone: false })),
  );
}
