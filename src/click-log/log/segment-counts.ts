import { isBot, type ProfilePart } from "../profile.ts";
import type { ProfileLists } from "./encoding.ts";
import { createPartMatcher, type Filters } from "./filters.ts";

/** For each part, whether a text passes the filters; null: every text does. */
export type PartMatchers = Record<ProfilePart, ((text: string) => boolean) | null>;

export function createPartMatchers(filters: Filters): PartMatchers {
  return {
    origin: createPartMatcher(filters, "origin"),
    target: createPartMatcher(filters, "target"),
    client: createPartMatcher(filters, "client"),
  };
}

/** The lists of a segment, with the number of clicks of each text. Each text is compared with the filters once. */
export class SegmentCounts {
  readonly #lists: Record<ProfilePart, readonly string[]>;
  readonly #passes: Record<ProfilePart, readonly boolean[] | null>;
  readonly #counts: Record<ProfilePart, number[]>;
  readonly #isBot: readonly boolean[];

  constructor([origins, targets, clients]: ProfileLists, matchers: PartMatchers) {
    this.#lists = { origin: origins, target: targets, client: clients };
    this.#passes = {
      origin: matchers.origin && origins.map(matchers.origin),
      target: matchers.target && targets.map(matchers.target),
      client: matchers.client && clients.map(matchers.client),
    };
    this.#counts = { origin: origins.map(() => 0), target: targets.map(() => 0), client: clients.map(() => 0) };
    this.#isBot = clients.map(isBot);
  }

  /** Whether a click with these indexes passes the filters. */
  matches(origin: number, target: number, client: number): boolean {
    const passes = this.#passes;
    return passes.origin?.[origin] !== false && passes.target?.[target] !== false && passes.client?.[client] !== false;
  }

  isBot(client: number): boolean {
    return this.#isBot[client] === true;
  }

  count(clicks: number, origin: number, target: number, client: number): void {
    const counts = this.#counts;
    counts.origin[origin] = (counts.origin[origin] ?? 0) + clicks;
    counts.target[target] = (counts.target[target] ?? 0) + clicks;
    counts.client[client] = (counts.client[client] ?? 0) + clicks;
  }

  /** The texts of a part that have clicks. */
  *counted(part: ProfilePart): Generator<[text: string, clicks: number]> {
    for (const [index, clicks] of this.#counts[part].entries())
      if (clicks > 0) yield [this.#lists[part][index] ?? "", clicks];
  }
}
