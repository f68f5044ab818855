import type { EnrichedClick } from "./enrich.ts";

/**
 * Clicks of a link and a UTC day that were stored at once. Its JSON lists batch ids and the parts of profiles once, since
 * many clicks share them. The parts have separate lists: a list of profiles would be longer than the clicks themselves.
 */
export type Segment = [
  batchIds: string[],
  origins: string[],
  targets: string[],
  clients: string[],
  clicks: SegmentClick[],
];

/** `batch`, `origin`, `target` and `client` are indexes of the lists before. */
type SegmentClick = [
  /** Milliseconds since the day began. */
  at: number,
  batch: number,
  index: number,
  /** 0: unknown. */
  visitor: number,
  origin: number,
  target: number,
  client: number,
];

/** The clicks of a link and a day that a rollup merged. */
export type RollupSegment = [origins: string[], targets: string[], clients: string[], buckets: RollupBucket[]];

/** Clicks of one profile in a quarter hour. */
export type RollupBucket = [
  /** Milliseconds from the beginning of the day to that of the quarter hour. */
  at: number,
  clicks: number,
  /** Those of them that were the visitor's first click of the day on the link. */
  unique: number,
  origin: number,
  target: number,
  client: number,
];

/** Different texts with their indexes. */
class TextList {
  readonly #indexes = new Map<string, number>();
  /** The approximate length of the JSON. */
  chars = 0;

  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    this.#indexes.set(text, this.#indexes.size);
    this.chars += text.length + CHARS_PER_TEXT;
    return this.#indexes.size - 1;
  }

  toArray(): string[] {
    return [...this.#indexes.keys()];
  }
}

/** The lists of the parts of profiles. */
class ProfileLists {
  readonly #origins = new TextList();
  readonly #targets = new TextList();
  readonly #clients = new TextList();

  get chars(): number {
    return this.#origins.chars + this.#targets.chars + this.#clients.chars;
  }

  indexesOf(origin: string, target: string, client: string): [origin: number, target: number, client: number] {
    return [this.#origins.indexOf(origin), this.#targets.indexOf(target), this.#clients.indexOf(client)];
  }

  toArrays(): [origins: string[], targets: string[], clients: string[]] {
    return [this.#origins.toArray(), this.#targets.toArray(), this.#clients.toArray()];
  }
}

/** A segment that is being written. */
export class SegmentBuilder {
  readonly #batchIds: string[] = [];
  readonly #lists = new ProfileLists();
  readonly #clicks: SegmentClick[] = [];
  #chars = 0;

  /** The approximate length of the JSON. */
  get chars(): number {
    return this.#chars + this.#lists.chars;
  }

  /** The clicks that are added next belong to this batch. */
  startBatch(batchId: string): void {
    this.#batchIds.push(batchId);
    this.#chars += batchId.length + CHARS_PER_TEXT;
  }

  add({ index, visitor, origin, target, client }: EnrichedClick, atInDay: number): void {
    const batch = this.#batchIds.length - 1;
    this.#clicks.push([atInDay, batch, index, visitor, ...this.#lists.indexesOf(origin, target, client)]);
    this.#chars += CHARS_PER_CLICK;
  }

  toJson(): string {
    const segment: Segment = [this.#batchIds, ...this.#lists.toArrays(), this.#clicks];
    return JSON.stringify(segment);
  }
}

/** A segment of a rollup that is being written. */
export class RollupBuilder {
  readonly #lists = new ProfileLists();
  readonly #buckets: RollupBucket[] = [];

  /** The approximate length of the JSON. */
  get chars(): number {
    return this.#buckets.length * CHARS_PER_BUCKET + this.#lists.chars;
  }

  add(bucket: { at: number; clicks: number; unique: number; origin: string; target: string; client: string }): void {
    const { at, clicks, unique, origin, target, client } = bucket;
    this.#buckets.push([at, clicks, unique, ...this.#lists.indexesOf(origin, target, client)]);
  }

  toJson(): string {
    const segment: RollupSegment = [...this.#lists.toArrays(), this.#buckets];
    return JSON.stringify(segment);
  }
}

/** Quotes and a comma. */
const CHARS_PER_TEXT = 3;
/** The numbers of a click with their punctuation. A visitor has up to 16 digits. */
const CHARS_PER_CLICK = 44;
/** The numbers of a rollup bucket with their punctuation. */
const CHARS_PER_BUCKET = 24;
