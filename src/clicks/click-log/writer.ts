import { siphash } from "../../lib/siphash.ts";
import { copyOf } from "../../lib/memoize.ts";
import { MAX_CLICK_AGE_DAYS, MAX_PART_CHARS, MAX_REMEMBERED_IN_LOG, REMEMBERED_PER_DAY_OF_LINK } from "../../limits.ts";
import type { EnrichedClick, EnrichedBatch } from "../types.ts";
import { eachOfLine, LineDraft } from "./encoding.ts";
import { NumberSet } from "./number-set.ts";
import { appendLines, readLines, rowsOfLink, type Addition } from "./rows.ts";
import { hashVisitor, type Salts } from "./salts.ts";
import { DAY_MS } from "./aggregate.ts";

/** A link's day, and what has to be known of it to take in another of its clicks. */
interface DayOfLink {
  day: number;
  link: string;
  /** Its messages' ids, hashed to 53 bits, and its visitors. */
  known: NumberSet;
  /** The row that is being filled. */
  part: number;
  chars: number;
}

/** Clicks of a day of a link that are being taken in. */
interface NewLine extends Pick<Addition, "clicks" | "firstAt" | "lastAt" | "lastClickAt"> {
  place: DayOfLink;
  draft: LineDraft;
}

interface Taken {
  /** The rows that were written to. */
  additions: Addition[];
  /** The messages of which clicks were new. */
  taken: ReadonlySet<string>;
}

/**
 * Takes clicks in, each once however often and in whatever order its message comes: the message's id
 * stands before its clicks. What the rows of a day say is kept in memory while the day is in use.
 */
export class Intake {
  readonly #sql: SqlStorage;
  readonly #salts: Salts;
  readonly #days = new Map<string, DayOfLink>();
  #remembered = 0;

  constructor(sql: SqlStorage, salts: Salts) {
    this.#sql = sql;
    this.#salts = salts;
  }

  /**
   * To be called in a transaction; if that fails, this memory is wrong. Clicks of links in `gone`, and those
   * too old to tell whether they are here already, are not taken in.
   */
  take(batches: Iterable<EnrichedBatch>, gone: ReadonlySet<string>, now: number): Taken {
    const today = Math.floor(now / DAY_MS);
    const lines = new Map<DayOfLink, NewLine[]>();
    const taken = new Set<string>();
    for (const { id, clicks } of batches) {
      const idHash = hashOfId(id);
      for (const { day, link, group } of groupByDayOfLink(clicks)) {
        if (gone.has(link) || day <= today - MAX_CLICK_AGE_DAYS) continue;
        const place = this.#dayOfLink(day, link);
        if (!this.#remember(place, idHash)) continue;
        taken.add(id);
        this.#write(lineOf(place, lines), id, group, today);
      }
    }
    const additions = [...lines.values()].flat().map(finish);
    for (const addition of additions) appendLines(this.#sql, addition, now);
    this.#shrink();
    return { additions, taken };
  }

  /** Reads the rows again before the next click. */
  forget(): void {
    this.#days.clear();
    this.#remembered = 0;
  }

  #write(line: NewLine, batchId: string, clicks: readonly EnrichedClick[], today: number): void {
    const { place, draft } = line;
    const salt = clicks.every(({ client }) => client.bot) ? null : this.#salts.of(place.day, today);
    draft.begin(batchId);
    for (const click of clicks) {
      const { at, client } = click;
      const visitor = client.bot || salt === null ? 0 : hashVisitor(salt, click);
      const isFirst = visitor !== 0 && this.#remember(place, visitor);
      draft.add(click, at - place.day * DAY_MS, visitor, isFirst);
      line.firstAt = Math.min(line.firstAt, at);
      line.lastAt = Math.max(line.lastAt, at);
      if (client.bot) continue;
      line.clicks++;
      line.lastClickAt = Math.max(line.lastClickAt, at);
    }
  }

  /** Tells whether it is new. */
  #remember({ known }: DayOfLink, value: number): boolean {
    if (!known.add(value)) return false;
    this.#remembered++;
    return true;
  }

  #dayOfLink(day: number, link: string): DayOfLink {
    const key = `${day}/${link}`;
    const known = this.#days.get(key) ?? this.#load(day, link);
    // To the end: the first in the map is what has not been used for longest.
    this.#days.delete(key);
    this.#days.set(key, known);
    return known;
  }

  #load(day: number, link: string): DayOfLink {
    const place: DayOfLink = { day, link, known: new NumberSet(), part: 0, chars: 0 };
    for (const row of rowsOfLink(this.#sql, link, day)) {
      place.part = row.part;
      place.chars = row.lines.length;
      for (const line of readLines(row)) {
        for (const id of line[0]) place.known.add(hashOfId(id));
        eachOfLine(line, (_at, _batchId, _index, visitor) => {
          if (visitor !== 0) place.known.add(visitor);
        });
      }
    }
    this.#remembered += sizeOf(place);
    return place;
  }

  #shrink(): void {
    for (const [key, place] of this.#days) {
      // What was used just now would have to be read again at once.
      if (this.#remembered <= MAX_REMEMBERED_IN_LOG || this.#days.size === 1) return;
      this.#remembered -= sizeOf(place);
      this.#days.delete(key);
    }
  }
}

const NO_KEY = new Uint32Array(4);
const hashOfId = (id: string) => siphash(NO_KEY, id) || 1;

/** The place itself takes as much memory as a few numbers. */
function sizeOf({ known }: DayOfLink): number {
  return known.size + REMEMBERED_PER_DAY_OF_LINK;
}

/** The line of a day of a link that is not too long yet. */
function lineOf(place: DayOfLink, lines: Map<DayOfLink, NewLine[]>): NewLine {
  const begun = lines.get(place) ?? [];
  if (begun.length === 0) lines.set(place, begun);
  let line = begun.at(-1);
  if (line === undefined || line.draft.chars >= MAX_PART_CHARS) {
    line = { place, draft: new LineDraft(), clicks: 0, firstAt: Infinity, lastAt: 0, lastClickAt: 0 };
    begun.push(line);
  }
  return line;
}

/** Puts it into the row that is being filled, or where that is full into the next. */
function finish({ place, draft, ...counts }: NewLine): Addition {
  const lines = draft.toJson();
  if (place.chars >= MAX_PART_CHARS) {
    place.part++;
    place.chars = 0;
  }
  place.chars += lines.length + 1;
  const { day, link, part } = place;
  return { day, link, part, ...counts, lines };
}

function groupByDayOfLink(clicks: readonly EnrichedClick[]): { day: number; link: string; group: EnrichedClick[] }[] {
  return [...Map.groupBy(clicks, ({ linkId }) => linkId)].flatMap(([link, ofLink]) =>
    [...Map.groupBy(ofLink, ({ at }) => Math.floor(at / DAY_MS))].map(([day, group]) => ({
      day,
      // It is remembered for longer than the message that it was cut out of.
      link: copyOf(link),
      group,
    })),
  );
}
