import type { AccountContext } from "../platform/context.ts";
import { keyOf } from "./aliases.ts";
import { withCounters, type ClickCounters } from "./click-counters.ts";
import { decide, isRefused, toNewSettings, type Change, type NewColumns } from "./decide.ts";
import { toStoredPassword } from "./password.ts";
import type { RefusedChange } from "./refusal.ts";
import { toDestinations, type screenOnce } from "./screening.ts";
import type { LinkChange } from "./store/change-condition.ts";
import { NO_SHORT_URL, type ReadForChange, type ReadLink } from "./store/change-facts.ts";
import { foundAt } from "./store/visited-destination.ts";
import { destinationsOf } from "./validate.ts";

interface Decided {
  /** By link id. */
  refusals: Map<string, RefusedChange>;
  /** The changes to write. A link that is in neither is decided again after they are written. */
  changes: LinkChange[];
}

/** Decides the change of each link. If several links would get one short URL, only the first of them gets a decision. */
export async function decideChanges(
  context: AccountContext,
  ids: readonly string[],
  change: Change,
  read: ReadForChange,
  counters: ReadonlyMap<string, ClickCounters>,
  findBlocked: ReturnType<typeof screenOnce>,
): Promise<Decided> {
  const { env, now, principal } = context;
  const blocked = await findBlocked(newDestinations(context, read.rows, change));
  const decided: Decided = { refusals: new Map(), changes: [] };
  const shortUrls = new Set<string>();
  for (const id of ids) {
    const row = read.rows.get(id);
    const decision = decide(row, change, {
      accountId: principal.accountId,
      anonymousHost: env.ANONYMOUS_HOST,
      verifiedHosts: read.verifiedHosts,
      blocked,
      passwordHash: row && (await toNewPassword(env, row, change)),
      ...(read.shortUrls.get(id) ?? NO_SHORT_URL),
    });
    if (!decision.ok) decided.refusals.set(id, decision);
    if (row === undefined || !decision.ok) continue;
    const { columns, takesSlug } = decision;
    const { before, after } = toRows(row, columns, counters.get(id), now);
    const shortUrl = `${after.domain}/${keyOf(after, after.slug)}`;
    if (!shortUrls.has(shortUrl)) decided.changes.push({ before, after, columns, takesSlug });
    shortUrls.add(shortUrl);
  }
  return decided;
}

function newDestinations(
  { principal }: AccountContext,
  rows: ReadonlyMap<string, ReadLink>,
  change: Change,
): Set<string> {
  const own = [...rows.values()].filter((row) => row.account_id === principal.accountId);
  const settings = own.map((row) => toNewSettings(row, change));
  const destinations = settings.flatMap((each) => (isRefused(each) ? [] : destinationsOf(toDestinations(each))));
  return new Set(destinations.map(([, url]) => url));
}

async function toNewPassword(env: Env, row: ReadLink, { fields }: Change): Promise<string | undefined> {
  return fields.password == null ? undefined : toStoredPassword(env.ENCRYPTION_KEYS, row, fields.password);
}

/** The link as it is and as it will be. It is the same object if no column changes. */
function toRows(
  { last_visit: visit, ...row }: ReadLink,
  columns: Partial<NewColumns>,
  counted: ClickCounters | undefined,
  now: number,
): Pick<LinkChange, "before" | "after"> {
  const before = { ...withCounters(row, counted), destination: foundAt(row.url_hash, visit) };
  if (Object.keys(columns).length === 0) return { before, after: before };
  const destination = foundAt(columns.url_hash ?? row.url_hash, visit);
  return { before, after: { ...before, ...columns, destination, updated_at: Math.max(now, row.updated_at + 1) } };
}
