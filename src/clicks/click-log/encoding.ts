import { joinProfile } from "../profile.ts";
import type { EnrichedClick } from "./enrich.ts";

/**
 * Clicks of a link and a UTC day that were stored at once. Its JSON lists batch ids, origins and clients once, since many
 * clicks share them. Origins and clients have separate lists: a list of their pairs, the profiles, would be longer than
 * the clicks themselves.
 */
export type Segment = [batchIds: string[], origins: string[], clients: string[], clicks: SegmentClick[]];

/** `batch`, `origin` and `client` are indexes of the lists before. `isFirst` is 1 for a visitor's first click of the day on the link. */
type SegmentClick = [
  /** Milliseconds since the day began. */
  at: number,
  batch: number,
  index: number,
  /** 0: unknown. */
  visitor: number,
  isFirst: 0 | 1,
  origin: number,
  client: number,
];

/** A click of a segment. `at` is in milliseconds since the day began. */
export interface DecodedClick {
  at: number;
  batchId: string;
  /** The index of the click in its batch. */
  index: number;
  visitor: number;
  isFirst: 0 | 1;
  profile: string;
}

export function decodeClicks([batchIds, origins, clients, clicks]: Segment): DecodedClick[] {
  const profiles = new Map<number, string>();
  const profileOf = (origin: number, client: number) => {
    // Equal profiles are one string: queries count clicks by profile, and comparing equal strings would dominate them.
    const key = origin * clients.length + client;
    const known = profiles.get(key);
    if (known !== undefined) return known;
    const profile = joinProfile(origins[origin] ?? "", clients[client] ?? "");
    profiles.set(key, profile);
    return profile;
  };
  return clicks.map(([at, batch, index, visitor, isFirst, origin, client]) => ({
    at,
    batchId: batchIds[batch] ?? "",
    index,
    visitor,
    isFirst,
    profile: profileOf(origin, client),
  }));
}

/** A segment that is being written. */
export class SegmentBuilder {
  readonly #batchIds: string[] = [];
  readonly #origins = new Map<string, number>();
  readonly #clients = new Map<string, number>();
  readonly #clicks: SegmentClick[] = [];
  #chars = 0;

  /** The approximate length of the JSON. */
  get chars(): number {
    return this.#chars;
  }

  /** The clicks that are added next belong to this batch. */
  startBatch(batchId: string): void {
    this.#batchIds.push(batchId);
    this.#chars += batchId.length + 3;
  }

  add(click: EnrichedClick, atInDay: number, isFirst: boolean): void {
    const origin = this.#indexOf(click.origin, this.#origins);
    const client = this.#indexOf(click.client, this.#clients);
    const batch = this.#batchIds.length - 1;
    this.#clicks.push([atInDay, batch, click.index, click.visitor, isFirst ? 1 : 0, origin, client]);
    this.#chars += CHARS_PER_CLICK;
  }

  toJson(): string {
    const segment: Segment = [this.#batchIds, [...this.#origins.keys()], [...this.#clients.keys()], this.#clicks];
    return JSON.stringify(segment);
  }

  #indexOf(text: string, indexes: Map<string, number>): number {
    const known = indexes.get(text);
    if (known !== undefined) return known;
    indexes.set(text, indexes.size);
    this.#chars += text.length + 3;
    return indexes.size - 1;
  }
}

/** The numbers of a click with their punctuation. A visitor has up to 16 digits. */
const CHARS_PER_CLICK = 44;
