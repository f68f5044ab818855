import { isBot } from "../profile.ts";
import { ProfileTables, RollupBuilder, type ProfileLists, type RollupBucket, type TotalsSegment } from "./encoding.ts";
import { LEVEL, QUARTER_HOUR_MS, readRollup, readTotals, type Row } from "./rows.ts";
import { MAX_ROLLUP_PART_CHARS } from "../limits.ts";

// What rollups count. Pure.

/** Counts of clicks that are to be stored. */
export interface RollupCounts {
  add(lists: ProfileLists, buckets: readonly RollupBucket[]): void;
  addRollup(row: Row): void;
  /** For at most `maxRows` rows. */
  toSegments(maxRows: number): string[];
}

export function createCounts(level: number): RollupCounts {
  return level === LEVEL.dayTotals ? new TotalCounts() : new ProfileCounts();
}

/** Counts each profile in each quarter hour. */
class ProfileCounts implements RollupCounts {
  readonly #tables = new ProfileTables();
  readonly #buckets = new Map<string, RollupBucket>();

  add(lists: ProfileLists, buckets: readonly RollupBucket[]): void {
    const [originAt, targetAt, clientAt] = this.#tables.addAll(lists);
    for (const [at, clicks, unique, ...indexes] of buckets) {
      const [origin = 0, target = 0, client = 0] = [originAt[indexes[0]], targetAt[indexes[1]], clientAt[indexes[2]]];
      const start = at - (at % QUARTER_HOUR_MS);
      const key = `${start}/${origin}/${target}/${client}`;
      const bucket = this.#buckets.get(key);
      if (bucket === undefined) {
        this.#buckets.set(key, [start, clicks, unique, origin, target, client]);
      } else {
        bucket[1] += clicks;
        bucket[2] += unique;
      }
    }
  }

  addRollup(row: Row): void {
    for (const [origins, targets, clients, buckets] of readRollup(row)) this.add([origins, targets, clients], buckets);
  }

  toSegments(maxRows: number): string[] {
    const lists = this.#tables.toLists();
    const rows: RollupBuilder[] = [];
    for (const bucket of [...this.#buckets.values()].sort(([a], [b]) => a - b)) {
      let last = rows.at(-1);
      const isFull = last !== undefined && last.chars >= MAX_ROLLUP_PART_CHARS && rows.length < maxRows;
      if (last === undefined || isFull) rows.push((last = new RollupBuilder()));
      last.add(bucket, lists);
    }
    return rows.map((row) => row.toJson());
  }
}

/** Counts all clicks together. */
class TotalCounts implements RollupCounts {
  readonly #totals: TotalsSegment = [0, 0, 0];

  add([, , clients]: ProfileLists, buckets: readonly RollupBucket[]): void {
    for (const [, clicks, unique, , , client] of buckets) {
      this.#totals[isBot(clients[client] ?? "") ? 2 : 0] += clicks;
      this.#totals[1] += unique;
    }
  }

  addRollup(row: Row): void {
    if (row.level < LEVEL.dayTotals) {
      for (const [origins, targets, clients, buckets] of readRollup(row))
        this.add([origins, targets, clients], buckets);
      return;
    }
    for (const [clicks, unique, bots] of readTotals(row)) {
      this.#totals[0] += clicks;
      this.#totals[1] += unique;
      this.#totals[2] += bots;
    }
  }

  toSegments(): string[] {
    return [JSON.stringify(this.#totals)];
  }
}
