import type { ServiceContext } from "../context.ts";
import { hasSeveralDatabases, numberOfDatabase } from "../database/databases.ts";
import type { Condition } from "../database/parameters.ts";
import { directoriesOf, findHeldElsewhere, releaseKeys, renewReservation, reserveKeys } from "../directory/reserve.ts";
import { mayStore } from "../directory/store.ts";
import { describeError, log } from "../lib/log.ts";
import { toSlugKey } from "../redirect/slug.ts";
import { findLinks } from "./store/links.ts";
import { slugKeysOf } from "./store/new-links.ts";
import type { Placement } from "./store/placement.ts";
import type { LinkRow } from "./store/row.ts";
import { changesShortUrl, type LinkUpdate } from "./store/update-sql.ts";

// Slugs of the service domain, and verified domains, where there are several databases (ADR 0042).

type Databases = Pick<ServiceContext, "env" | "db" | "now">;

/** Reserves the slug keys for the database of the context, and asks which of the hosts are verified domains in others. */
export async function placeSlugs(
  { env, db, now }: ServiceContext,
  keys: readonly string[],
  hosts: readonly string[],
): Promise<Placement> {
  const databases = directoriesOf(env);
  const shard = numberOfDatabase(env, db);
  const [tokens, verifiedHosts] = await Promise.all([
    reserveKeys(databases, shard, keys, now),
    findHeldElsewhere(databases, shard, hosts, now),
  ]);
  return { shard, env, tokens, verifiedHosts };
}

/** The positions of those of the short URLs that another database has. */
export async function findElsewhere(
  { env, db, now }: Databases,
  shortUrls: readonly { domain: string; slug: string }[],
): Promise<ReadonlySet<number>> {
  const keys = new Map(
    shortUrls.flatMap(({ domain, slug }, n): [number, string][] =>
      domain === "" ? [[n, toSlugKey(slug, false)]] : [],
    ),
  );
  if (keys.size === 0 || !hasSeveralDatabases(env)) return new Set();
  const held = await findHeldElsewhere(directoriesOf(env), numberOfDatabase(env, db), [...keys.values()], now);
  return new Set([...keys].flatMap(([position, key]) => (held.has(key) ? [position] : [])));
}

/** Those of the hosts that are verified domains in another database. */
export async function findDomainsElsewhere(
  { env, db, now }: Databases,
  hosts: readonly string[],
): Promise<Set<string>> {
  if (hosts.length === 0 || !hasSeveralDatabases(env)) return new Set();
  return findHeldElsewhere(directoriesOf(env), numberOfDatabase(env, db), hosts, now);
}

/** What an update changes that other databases can refuse. */
export type PlacedChange = Pick<LinkUpdate, "columns" | "columnsById" | "hosts">;

/** As {@link placeSlugs} for an update of links. Null: there is one database, or the update changes no slug and no destination. */
export async function placeUpdate(
  context: ServiceContext,
  ids: readonly string[],
  change: PlacedChange,
): Promise<Placement | null> {
  if (!hasSeveralDatabases(context.env)) return null;
  if (!changesShortUrl(change)) return change.hosts.length === 0 ? null : placeSlugs(context, [], change.hosts);
  const rows = await findLinks(context.db, ids);
  const keys = rows.map((row) => newSlugKey(context, row, change)).filter((key) => key !== null);
  return placeSlugs(context, keys, change.hosts);
}

/** The key that the link gets at the service domain; null: it keeps its own, or it will be at a custom domain. */
function newSlugKey({ env }: Databases, row: LinkRow, { columns, columnsById }: PlacedChange): string | null {
  const domain = columnsById?.values.get(row.id)?.domain ?? columns.domain ?? row.domain;
  const key = toSlugKey(columns.slug ?? row.slug, false);
  return domain !== "" || slugKeysOf({ ...row, aliases: null }, env).includes(key) ? null : key;
}

/** Whether an update that another database refuses can be tried again: the link was changed, or its reservation is of no use any more. */
export async function canTryAgain(
  context: ServiceContext,
  placement: Placement,
  row: LinkRow,
  change: PlacedChange,
): Promise<boolean> {
  const key = newSlugKey(context, row, change);
  return key === null || !placement.tokens.has(key) || (await renew(context, placement, key));
}

/** Renews a reservation that the transaction could not use. Returns whether it can be tried again: no other database has the slug key. */
export async function renew({ env, now }: ServiceContext, { shard, tokens }: Placement, key: string): Promise<boolean> {
  const token = tokens.get(key) ?? null;
  return token !== null && (await renewReservation(directoriesOf(env), shard, { key, token }, now)) !== null;
}

/** What lets the database of the context have a domain as verified. */
interface DomainPlace {
  mayHave: Condition;
  /** Another condition after the first one did not hold; null: another database has the domain. */
  renew: () => Promise<Condition | null>;
}

/** Reserves a domain for the database of the context. Null: there is one database. */
export async function placeDomain(context: ServiceContext, domain: string): Promise<DomainPlace | null> {
  if (!hasSeveralDatabases(context.env)) return null;
  const placement = await placeSlugs(context, [domain], []);
  const holds = ({ shard, tokens }: Placement) => mayStore(shard, domain, tokens.get(domain) ?? null);
  const renewed = async () =>
    (await renew(context, placement, domain)) ? holds(await placeSlugs(context, [domain], [])) : null;
  return { mayHave: holds(placement), renew: renewed };
}

/**
 * Gives back those of the keys, of slugs or of domains, that the database did not use or has lost, after the response. If that fails, another database gets
 * them all the same once it wants them.
 */
export function giveBack({ env, db, now, waitUntil }: ServiceContext, keys: readonly string[]): void {
  if (keys.length === 0 || !hasSeveralDatabases(env)) return;
  const released = releaseKeys(directoriesOf(env), numberOfDatabase(env, db), keys, now);
  waitUntil(released.catch((error: unknown) => log("warn", "slugs_not_released", describeError(error))));
}
