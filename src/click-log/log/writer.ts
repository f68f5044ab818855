import { DAY_MS } from "../../limits.ts";
import { SegmentBuilder, type LinkDaySegment } from "./encoding.ts";
import { appendSegments, batchIdsOf, LEVEL, rowsOfLink, toNewSegments, type NewSegments } from "./rows.ts";
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
  /** Segments that are not written yet. */
  readonly #open = new Map<LinkDay, SegmentBuilder[]>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Adds the segment of one batch to what {@link write} stores. Returns whether it is new. Clicks of deleted links are not
   * stored, and neither are those so old that a redelivery may not be recognised.
   */
  add({ link, day, segment }: LinkDaySegment, deletedLinks: ReadonlySet<string>, now: number): boolean {
    if (deletedLinks.has(link) || day <= Math.floor(now / DAY_MS) - MAX_CLICK_AGE_DAYS) return false;
    const linkDay = this.#linkDayOf(day, link);
    const [[batchId = ""]] = segment;
    if (linkDay.batchIds.has(batchId)) return false;
    this.#openSegment(linkDay).append(segment);
    linkDay.batchIds.add(batchId);
    this.#remembered++;
    return true;
  }

  /** Whether the segment is stored. */
  has({ link, day, segment: [[batchId = ""]] }: LinkDaySegment): boolean {
    return this.#linkDayOf(day, link).batchIds.has(batchId);
  }

  /** Writes what was added; returns it. */
  write(now: number): NewSegments[] {
    const written = [...this.#open].flatMap(([linkDay, builders]) => builders.map((each) => finish(linkDay, each)));
    this.#open.clear();
    for (const segments of written) appendSegments(this.#sql, segments, now);
    this.#evict();
    return written;
  }

  /** Discards what is known of the rows of a link's day, which have changed. */
  forget(day: number, link: string): void {
    const linkDay = this.#linkDays.get(`${day}/${link}`);
    if (linkDay === undefined) return;
    this.#remembered -= entriesOf(linkDay);
    this.#linkDays.delete(`${day}/${link}`);
  }

  /** Discards what is known of the rows. */
  clear(): void {
    this.#linkDays.clear();
    this.#remembered = 0;
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
      const isRollup = row.level !== LEVEL.clicks;
      linkDay.part = isRollup ? row.part + 1 : row.part;
      linkDay.chars = isRollup ? 0 : row.segments.length;
      for (const id of batchIdsOf(row)) linkDay.batchIds.add(id);
    }
    this.#remembered += entriesOf(linkDay);
    return linkDay;
  }

  /** The segment of a link's day that is not too long yet. */
  #openSegment(linkDay: LinkDay): SegmentBuilder {
    const open = this.#open.get(linkDay) ?? [];
    if (open.length === 0) this.#open.set(linkDay, open);
    let last = open.at(-1);
    if (last === undefined || last.chars >= MAX_PART_CHARS) open.push((last = new SegmentBuilder()));
    return last;
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
function finish(linkDay: LinkDay, builder: SegmentBuilder): NewSegments {
  if (linkDay.chars >= MAX_PART_CHARS) {
    linkDay.part++;
    linkDay.chars = 0;
  }
  const segments = toNewSegments(linkDay.day, linkDay.link, linkDay.part, [builder.toSegment()]);
  linkDay.chars += segments.json.length + 1;
  return segments;
}
