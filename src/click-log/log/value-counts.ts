import { DIMENSIONS, type Dimension } from "../profile.ts";
import { MAX_VALUES_IN_MEMORY } from "../limits.ts";

/** What clicks are counted by. */
export type CountedDimension = Dimension | "link";
const COUNTED_DIMENSIONS: readonly CountedDimension[] = ["link", ...DIMENSIONS];

export interface Count {
  value: string;
  clicks: number;
}

/** The values of each dimension, the most frequent first. */
export type CountLists = Record<CountedDimension, [value: string, clicks: number][]>;

/** The clicks of each value of each dimension. */
export class ValueCounts {
  readonly #counts = mapDimensions(() => new Map<string, number>());

  add(dimension: CountedDimension, value: string, clicks: number): void {
    const counts = this.#counts[dimension];
    increase(counts, value, clicks);
    // Drops the rarest values. Their clicks are among the others then.
    if (counts.size > MAX_VALUES_IN_MEMORY)
      this.#counts[dimension] = new Map(mostFrequent(counts).slice(0, MAX_VALUES_IN_MEMORY / 2));
  }

  addLists(lists: CountLists): void {
    for (const dimension of COUNTED_DIMENSIONS)
      for (const [value, clicks] of lists[dimension]) this.add(dimension, value, clicks);
  }

  lists(max: number): CountLists {
    return mapDimensions((dimension) => mostFrequent(this.#counts[dimension]).slice(0, max));
  }

  /** The values after the `offset` most frequent ones, at most `max`, and how many of `total` clicks have less frequent ones. */
  page(
    total: number,
    offset: number,
    max: number,
  ): { counts: Record<CountedDimension, Count[]>; others: Record<CountedDimension, number> } {
    const lists = this.lists(offset + max);
    return {
      counts: mapDimensions((dimension) =>
        lists[dimension].slice(offset).map(([value, clicks]) => ({ value, clicks })),
      ),
      others: mapDimensions((dimension) => total - lists[dimension].reduce((sum, [, clicks]) => sum + clicks, 0)),
    };
  }
}

function mapDimensions<T>(make: (dimension: CountedDimension) => T): Record<CountedDimension, T> {
  const entries = COUNTED_DIMENSIONS.map((dimension) => [dimension, make(dimension)]);
  return Object.fromEntries(entries) as Record<CountedDimension, T>;
}

export function increase(counts: Map<string, number>, value: string, clicks: number): void {
  counts.set(value, (counts.get(value) ?? 0) + clicks);
}

function mostFrequent(counts: ReadonlyMap<string, number>): [value: string, clicks: number][] {
  return [...counts].sort(([a, clicksOfA], [b, clicksOfB]) => clicksOfB - clicksOfA || (a < b ? -1 : 1));
}
