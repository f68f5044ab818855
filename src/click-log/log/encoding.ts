import { TextTable } from "../text-table.ts";

/** The parts of profiles, each text once, since many clicks share them. A list of whole profiles would be longer than the clicks themselves. */
export type ProfileLists = [origins: string[], targets: string[], clients: string[]];

/** Clicks of a link and a UTC day that were stored at once. */
export type Segment = [batchIds: string[], ...lists: ProfileLists, clicks: SegmentClick[]];

/** `batch`, `origin`, `target` and `client` are indexes of the lists before. */
export type SegmentClick = [
  /** Milliseconds since the day began. */
  at: number,
  batch: number,
  index: number,
  /**
   * Equal for clicks of one visitor on one UTC day; 0: unknown. Unknown for crawlers, for visitors who are not to be recognised, and
   * where the salt is deleted.
   */
  visitor: number,
  origin: number,
  target: number,
  client: number,
];

/** A segment with its link and its day, which is counted since 1970. */
export interface LinkDaySegment {
  link: string;
  day: number;
  segment: Segment;
}

/** The clicks of a link and a day that a rollup merged. */
export type RollupSegment = [...lists: ProfileLists, buckets: RollupBucket[]];

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

/** Clicks whose profiles are no longer known. `unique` is part of `clicks`, and `bots` are others. */
export type TotalsSegment = [clicks: number, unique: number, bots: number];

/** The lists of profiles while they are filled. */
export class ProfileTables {
  readonly #tables = [new TextTable(), new TextTable(), new TextTable()] as const;

  /** The approximate length of the JSON. */
  get chars(): number {
    return this.#tables.reduce((sum, { chars, size }) => sum + chars + size * CHARS_PER_TEXT, 0);
  }

  indexesOf(origin: string, target: string, client: string): [origin: number, target: number, client: number] {
    const [origins, targets, clients] = this.#tables;
    return [origins.indexOf(origin), targets.indexOf(target), clients.indexOf(client)];
  }

  /** Adds all texts of other lists. Returns the index here for each index there. */
  addAll(lists: ProfileLists): [origins: number[], targets: number[], clients: number[]] {
    const [origins, targets, clients] = this.#tables;
    return [
      lists[0].map((text) => origins.indexOf(text)),
      lists[1].map((text) => targets.indexOf(text)),
      lists[2].map((text) => clients.indexOf(text)),
    ];
  }

  toLists(): ProfileLists {
    const [origins, targets, clients] = this.#tables;
    return [origins.toArray(), targets.toArray(), clients.toArray()];
  }
}

/** A segment that is being written. */
export class SegmentBuilder {
  readonly #batchIds: string[] = [];
  readonly #tables = new ProfileTables();
  readonly #clicks: SegmentClick[] = [];
  #idChars = 0;

  /** The approximate length of the JSON. */
  get chars(): number {
    return this.#idChars + this.#tables.chars + this.#clicks.length * CHARS_PER_CLICK;
  }

  /** The clicks that are added next belong to this batch. */
  startBatch(batchId: string): void {
    this.#batchIds.push(batchId);
    this.#idChars += batchId.length + CHARS_PER_TEXT;
  }

  /** `at` is in milliseconds since the day began; `origin`, `target` and `client` are texts. */
  add(at: number, index: number, visitor: number, origin: string, target: string, client: string): void {
    const [originAt, targetAt, clientAt] = this.#tables.indexesOf(origin, target, client);
    this.#clicks.push([at, this.#batchIds.length - 1, index, visitor, originAt, targetAt, clientAt]);
  }

  append([batchIds, origins, targets, clients, clicks]: Segment): void {
    const before = this.#batchIds.length;
    for (const id of batchIds) this.startBatch(id);
    const [originAt, targetAt, clientAt] = this.#tables.addAll([origins, targets, clients]);
    for (const [at, batch, index, visitor, origin, target, client] of clicks)
      this.#clicks.push([
        at,
        before + batch,
        index,
        visitor,
        originAt[origin] ?? 0,
        targetAt[target] ?? 0,
        clientAt[client] ?? 0,
      ]);
  }

  toSegment(): Segment {
    return [this.#batchIds, ...this.#tables.toLists(), this.#clicks];
  }
}

/** A segment of a rollup that is being written. */
export class RollupBuilder {
  readonly #tables = new ProfileTables();
  readonly #buckets: RollupBucket[] = [];

  /** The approximate length of the JSON. */
  get chars(): number {
    return this.#buckets.length * CHARS_PER_BUCKET + this.#tables.chars;
  }

  /** Adds a bucket whose indexes are those of the lists. */
  add([at, clicks, unique, origin, target, client]: RollupBucket, [origins, targets, clients]: ProfileLists): void {
    const indexes = this.#tables.indexesOf(origins[origin] ?? "", targets[target] ?? "", clients[client] ?? "");
    this.#buckets.push([at, clicks, unique, ...indexes]);
  }

  toJson(): string {
    const segment: RollupSegment = [...this.#tables.toLists(), this.#buckets];
    return JSON.stringify(segment);
  }
}

/** Quotes and a comma. */
const CHARS_PER_TEXT = 3;
/** The numbers of a click with their punctuation. A visitor has up to 16 digits. */
const CHARS_PER_CLICK = 44;
/** The numbers of a rollup bucket with their punctuation. */
const CHARS_PER_BUCKET = 24;

/** The ids of click batches as text: seven bytes each, in Base64. */
export function packBatchIds(ids: readonly string[]): string {
  return Uint8Array.fromHex(ids.join("")).toBase64();
}

export function unpackBatchIds(text: string): string[] {
  return Uint8Array.fromBase64(text).toHex().match(BATCH_ID) ?? [];
}

const BATCH_ID = /.{14}/g;
