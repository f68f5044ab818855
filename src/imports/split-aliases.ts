import type { AccountContext } from "../context.ts";
import type { PlannedLink } from "./resolve-row.ts";
import { findTakenAliases } from "./store.ts";

/** The links with the aliases that they can have; and the other ones, by line. */
export async function splitAliases(
  context: AccountContext,
  planned: readonly PlannedLink[],
): Promise<{ links: PlannedLink[]; lost: Map<number, string[]> }> {
  const aliases = planned.flatMap(({ line, domain, aliases: slugs }) => slugs.map((slug) => ({ line, domain, slug })));
  const shortUrls = aliases.map(({ domain, slug }) => ({ domain, slug }));
  const taken = await findTakenAliases(context.db, context.principal.accountId, shortUrls);
  const lost = new Map<number, string[]>();
  for (const [index, { line, slug }] of aliases.entries())
    if (taken.has(index)) lost.set(line, [...(lost.get(line) ?? []), slug]);
  const links = planned.map((link) => {
    const gone = lost.get(link.line);
    return gone === undefined ? link : { ...link, aliases: link.aliases.filter((alias) => !gone.includes(alias)) };
  });
  return { links, lost };
}
