import { DAY_MS } from "../../duration.ts";
import { SegmentBuilder } from "./encoding.ts";
import { isBot } from "../profile.ts";
import type { EnrichedClick } from "./enrich.ts";
import { appendSegment, readSegments, rowsOfLink, type NewSegment } from "./rows.ts";
import { ENTRIES_PER_LINK_DAY, MAX_CLICK_AGE_DAYS, MAX_PART_CHARS, MAX_REMEMBERED_IN_LOG } from "../limits.ts";

/** A link's day, with what is needed to store another of its clicks. */
interface LinkDay {
  day: number;
  link: string;
  batchIds: Set<string>;
  /** The part that is not full yet, and its length. */
  part: number;
  chars: number;
}

/** A segment that is not written yet. */
interface OpenSegment extends Pick<NewSegment, "clicks" | "firstAt" | "lastAt" | "lastClickAt"> {
  linkDay: LinkDay;
  builder: SegmentBuilder;
}

/**
 * Stores clicks, each once, however often and in whatever order their batches arrive. To recognise a redelivery, each
 * segment holds the ids of its batches. What the rows say about a link's day is kept in memory while the day is in use.
 * If a transaction fails, its writer must be discarded.
 */
export class ClickWriter {
  readonly #sql: SqlStorage;
  /** The least recently used first. */
  readonly #linkDays = new Map<string, LinkDay>();
  /** What {@link #linkDays} takes in memory, in entries of {@link MAX_REMEMBERED_IN_LOG}. */
  #remembered = 0;
  readonly #open = new Map<LinkDay, OpenSegment[]>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Adds a batch to what {@link write} stores. Returns whether any of its clicks is new. Clicks of deleted links are not
   * stored, and neither are those so old that a redelivery may not be recognised.
   */
  add(batchId: string, clicks: readonly EnrichedClick[], deletedLinks: ReadonlySet<string>, now: number): boolean {
    let isNew = false;
    for (const { day, link, group } of groupByLinkDay(clicks)) {
      if (deletedLinks.has(link) || day <= Math.floor(now / DAY_MS) - MAX_CLICK_AGE_DAYS) continue;
      const linkDay = this.#linkDayOf(day, link);
      if (linkDay.batchIds.has(batchId)) continue;
      this.#append(linkDay, batchId, group);
      isNew = true;
    }
    return isNew;
  }

  /** Writes what was added; returns the segments. */
  write(now: number): NewSegment[] {
    const segments = [...this.#open.values()].flat().map(finishSegment);
    this.#open.clear();
    for (const segment of segments) appendSegment(this.#sql, segment, now);
    this.#evict();
    return segments;
  }

  /** Discards what is known of the rows. */
  clear(): void {
    this.#linkDays.clear();
    this.#remembered = 0;
  }

  #append(linkDay: LinkDay, batchId: string, clicks: readonly EnrichedClick[]): void {
    const { day, batchIds } = linkDay;
    const segment = this.#openSegment(linkDay);
    batchIds.add(batchId);
    this.#remembered++;
    segment.builder.startBatch(batchId);
    for (const click of clicks) {
      const { at, client } = click;
      segment.builder.add(click, at - day * DAY_MS);
      segment.firstAt = Math.min(segment.firstAt, at);
      segment.lastAt = Math.max(segment.lastAt, at);
      if (isBot(client)) continue;
      segment.clicks++;
      segment.lastClickAt = Math.max(segment.lastClickAt, at);
    }
  }

  #linkDayOf(day: number, link: string): LinkDay {
    const key = `${day}/${link}`;
    const linkDay = this.#linkDays.get(key) ?? this.#load(day, link);
    this.#linkDays.delete(key);
    this.#linkDays.set(key, linkDay);
    return linkDay;
  }

  #load(day: number, link: string): LinkDay {
    const linkDay: LinkDay = { day, link, batchIds: new Set(), part: 0, chars: 0 };
    for (const row of rowsOfLink(this.#sql, link, day)) {
      linkDay.part = row.part;
      linkDay.chars = row.segments.length;
      for (const [batchIds] of readSegments(row)) for (const id of batchIds) linkDay.batchIds.add(id);
    }
    this.#remembered += entriesOf(linkDay);
    return linkDay;
  }

  /** The segment of a link's day that is not too long yet. */
  #openSegment(linkDay: LinkDay): OpenSegment {
    const open = this.#open.get(linkDay) ?? [];
    if (open.length === 0) this.#open.set(linkDay, open);
    const last = open.at(-1);
    if (last !== undefined && last.builder.chars < MAX_PART_CHARS) return last;
    const counts = { clicks: 0, firstAt: Infinity, lastAt: 0, lastClickAt: 0 };
    const segment = { linkDay, builder: new SegmentBuilder(), ...counts };
    open.push(segment);
    return segment;
  }

  #evict(): void {
    for (const [key, linkDay] of this.#linkDays) {
      // The most recently used one would have to be read again at once.
      if (this.#remembered <= MAX_REMEMBERED_IN_LOG || this.#linkDays.size === 1) return;
      this.#remembered -= entriesOf(linkDay);
      this.#linkDays.delete(key);
    }
  }
}

function entriesOf({ batchIds }: LinkDay): number {
  return batchIds.size + ENTRIES_PER_LINK_DAY;
}

/** Puts the segment into the row that is being filled, or into the next part if that row is full. */
function finishSegment({ linkDay, builder, ...counts }: OpenSegment): NewSegment {
  const json = builder.toJson();
  if (linkDay.chars >= MAX_PART_CHARS) {
    linkDay.part++;
    linkDay.chars = 0;
  }
  linkDay.chars += json.length + 1;
  const { day, link, part } = linkDay;
  return { day, link, part, ...counts, json };
}

function groupByLinkDay(clicks: readonly EnrichedClick[]): { day: number; link: string; group: EnrichedClick[] }[] {
  return [...Map.groupBy(clicks, ({ linkId }) => linkId)].flatMap(([link, ofLink]) =>
    [...Map.groupBy(ofLink, ({ at }) => Math.floor(at / DAY_MS))].map(([day, group]) => ({ day, link, group })),
  );
}
