import type { AccountContext } from "../../platform/context.ts";
import type { PlannedLink } from "./resolve-row.ts";
import { findTaken } from "./store.ts";

/** The links with the aliases that they can have; and the other ones, by line. */
export async function splitAliases(
  context: AccountContext,
  planned: readonly PlannedLink[],
): Promise<{ links: PlannedLink[]; lost: Map<number, string[]> }> {
  const aliases = planned.flatMap(({ line, domain, aliases: slugs }) => slugs.map((slug) => ({ line, domain, slug })));
  if (aliases.length === 0) return { links: [...planned], lost: new Map() };
  const looked = aliases.map(({ domain, slug }) => ({ domain, slug, external_id: null }));
  const { slugs: taken } = await findTaken(context.db, context.principal.accountId, looked);
  const lost = new Map<number, string[]>();
  for (const [index, { line, slug }] of aliases.entries())
    if (taken.has(index)) lost.set(line, [...(lost.get(line) ?? []), slug]);
  const links = planned.map((link) => {
    const gone = lost.get(link.line);
    return gone === undefined ? link : { ...link, aliases: link.aliases.filter((alias) => !gone.includes(alias)) };
  });
  return { links, lost };
}
