import type { Reservation } from "../../directory/reserve.ts";
import { isElsewhere } from "../../directory/store.ts";

/** What was found in the directory before a transaction that stores slugs, where there are several databases (ADR 0042). */
export interface Placement {
  /** The number of the database that the transaction is for. */
  shard: number;
  /** By slug key of the service domain. */
  tokens: ReadonlyMap<string, Reservation>;
  /** Those of the destinations' hosts that are verified domains in other databases. */
  verifiedHosts: ReadonlySet<string>;
}

/** The tokens of the keys, as a JSON object in SQL has them. */
export function tokensOf(placement: Placement, keys: readonly string[]): Record<string, Reservation> {
  return Object.fromEntries(keys.map((key) => [key, placement.tokens.get(key) ?? null]));
}

/** SQL that holds if another database has the slug key at the domain. `tokens` is a JSON object; all are SQL. */
export function isHeldElsewhere({ shard }: Placement, domain: string, slugKey: string, tokens: string): string {
  return `(${domain} = '' AND ${isElsewhere(shard, slugKey, `(${tokens} ->> ${slugKey})`)})`;
}
