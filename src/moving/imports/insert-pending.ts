import type { Fault } from "../../platform/http/faults.ts";
import { toRecords, type JobContext } from "../../jobs/kind.ts";
import { newIds } from "../../platform/lib/uuid.ts";
import { keyOf, slugsOf } from "../../links/aliases.ts";
import { creatorColumns } from "../../links/creator.ts";
import { randomSlug, withSuffix } from "../../links/slugs/random-slug.ts";
import type { NewLink } from "../../links/decide.ts";
import { insertLinks, type InsertOutcome } from "../../links/insert-links.ts";
import { toAllColumns } from "../../links/store/row.ts";
import { watchLinks } from "../../links/screening.ts";
import { PLANS } from "./lists.ts";
import type { PlannedLink } from "./resolve-row.ts";
import { MAX_IMPORT_SLUG_ATTEMPTS } from "./limits.ts";

export interface Pending {
  link: PlannedLink;
  /** Its destinations that are blocked. */
  blocked: Fault[];
  /** Insertions that were tried. */
  attempts: number;
  /** Slugs that were found to be taken. */
  taken: number;
  /** The number of aliases that the link was to have. */
  aliases: number;
}

export interface Inserted {
  /** null: it can be tried again. */
  outcome: InsertOutcome;
  /** How many the link got, or would have got. */
  aliases: number;
}

/** Inserts links in one transaction. What is inserted is stored before, so that it is found after a crash, and undone. */
export async function insertPending(
  context: JobContext,
  batch: readonly Pending[],
  options: { emitsEvents: boolean; isUntrusted: boolean },
): Promise<{ inserted: Inserted[]; isUntrusted: boolean }> {
  const { records, now, principal } = context;
  const times = batch.map(({ link }) => Math.min(link.createdAt ?? now, now));
  const ids = idsOf(times);
  const links = batch.map((entry, index) => toNewLink(context, entry, ids[index] as string, times[index] as number));
  const plan = [now, ...batch.map(({ link }, index) => [link.line, ids[index]])];
  if (!records.save(toRecords(PLANS, records.endOf(PLANS), plan))) throw new Error("the import was deleted");
  const unshared = withoutSharedAliases(links);
  const { outcomes, isUntrusted } = await insertLinks(context, principal.accountId, unshared, {
    ...options,
    replaces: true,
  });
  watchLinks(
    context,
    ids.filter((_, index) => outcomes[index]?.ok),
  );
  const aliases = unshared.map(({ row }) => slugsOf(row).length - 1);
  return {
    inserted: outcomes.map((outcome, index) => ({ outcome, aliases: aliases[index] ?? 0 })),
    isUntrusted,
  };
}

/** New ids with these times. Ids with the same time keep the order of the links. */
function idsOf(times: readonly number[]): string[] {
  const counts = new Map<number, number>();
  for (const time of times) counts.set(time, (counts.get(time) ?? 0) + 1);
  const ids = new Map([...counts].map(([time, count]) => [time, newIds(time, count).values()]));
  return times.map((time) => ids.get(time)?.next().value as string);
}

function toNewLink(
  { principal, starter, now }: JobContext,
  { link, blocked, attempts, taken }: Pending,
  id: string,
  createdAt: number,
): NewLink {
  const { request, domain, isCaseSensitive, aliases, importedClicks } = link;
  const slug =
    link.slug === null || attempts + 1 === MAX_IMPORT_SLUG_ATTEMPTS ? randomSlug() : variant(link.slug, taken);
  return {
    row: {
      ...toAllColumns({ ...request.fields, slug }),
      id,
      account_id: principal.accountId,
      domain,
      case_sensitive: isCaseSensitive ? 1 : 0,
      aliases: aliases.length === 0 ? null : JSON.stringify(aliases),
      password_hash: null,
      status: "active",
      visits: 0,
      clicks: 0,
      last_clicked_at: 0,
      imported_clicks: importedClicks,
      password_attacked_at: null,
      ...creatorColumns(starter),
      verdict: 0,
      created_at: createdAt,
      updated_at: now,
    },
    fields: { ...request.fields, domain },
    hosts: request.hosts,
    blocked,
  };
}

/** The slug, or after it was taken `slug-2`, `slug-3` and so on. */
function variant(slug: string, taken: number): string {
  return taken === 0 ? slug : withSuffix(slug, taken + 1);
}

/** Without the aliases that are also a slug or an alias of another link of the transaction, which could not see it. */
function withoutSharedAliases(links: readonly NewLink[]): NewLink[] {
  const used = new Set(links.map(({ row }) => `${row.domain}/${keyOf(row, row.slug)}`));
  return links.map((link) => {
    const { domain, aliases } = link.row;
    if (aliases === null) return link;
    const kept = (JSON.parse(aliases) as string[]).filter((alias) => {
      const key = `${domain}/${keyOf(link.row, alias)}`;
      return !used.has(key) && used.add(key);
    });
    const row = { ...link.row, aliases: kept.length === 0 ? null : JSON.stringify(kept) };
    return { ...link, row };
  });
}
