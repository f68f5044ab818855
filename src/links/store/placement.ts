import type { Reservation } from "../../directory/reserve.ts";
import { isElsewhere } from "../../directory/store.ts";

/** What was found in the directory before a transaction that stores slugs, where there are several databases (ADR 0042). */
export interface Placement {
  /** The number of the database that the transaction is for. */
  shard: number;
  env: Pick<Env, "ANONYMOUS_HOST">;
  /** By key in the directory. */
  tokens: ReadonlyMap<string, Reservation>;
  /** Those of the destinations' hosts that are verified domains in other databases. */
  verifiedHosts: ReadonlySet<string>;
}

/** The tokens of the keys, as a JSON object in SQL has them. */
export function tokensOf(placement: Placement, keys: readonly string[]): Record<string, Reservation> {
  return Object.fromEntries(keys.map((key) => [key, placement.tokens.get(key) ?? null]));
}

/** SQL that holds if another database has the key, or no token reserves it. `tokens` is a JSON object; both are SQL. */
export function isHeldElsewhere({ shard }: Placement, key: string, tokens: string): string {
  return isElsewhere(shard, key, `(${tokens} ->> ${key})`);
}

/** As {@link isHeldElsewhere} for a key of the new link `j`. At a custom domain a link has no keys, and no tokens. */
export function isNewKeyElsewhere(placement: Placement, key: string): string {
  const tokens = "j.value -> 'tokens'";
  return `(${tokens} <> '{}' AND ${isHeldElsewhere(placement, key, tokens)})`;
}
