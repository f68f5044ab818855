import { siphash } from "../../lib/siphash.ts";
import { MAX_CLICK_AGE_DAYS, MAX_PART_CHARS, MAX_REMEMBERED_IN_LOG, REMEMBERED_PER_DAY_OF_LINK } from "../../limits.ts";
import type { Click, ClickBatch } from "../batch.ts";
import { isBot } from "../profile.ts";
import { NumberSet } from "./number-set.ts";
import { appendLines, readLines, rowsOfLink, type Addition, type Line, type StoredClick } from "./rows.ts";
import type { Salts } from "./salts.ts";
import { DAY_MS } from "./tally.ts";

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
  take(batches: Iterable<ClickBatch>, gone: ReadonlySet<string>, now: number): Taken {
    const today = Math.floor(now / DAY_MS);
    const additions = new Map<DayOfLink, Addition[]>();
    const taken = new Set<string>();
    for (const { id, clicks } of batches) {
      const idHash = hashOf(id);
      for (const group of groupByDayOfLink(clicks)) {
        const [[at, link] = [0, ""]] = group;
        const day = Math.floor(at / DAY_MS);
        if (gone.has(link) || day <= today - MAX_CLICK_AGE_DAYS) continue;
        const place = this.#dayOfLink(day, link);
        if (!this.#remember(place, idHash)) continue;
        taken.add(id);
        const line: Line = [id, group.map((click) => this.#toStored(click, place, today))];
        const written = additions.get(place) ?? [];
        if (written.length === 0) additions.set(place, written);
        put(line, place, written);
      }
    }
    const all = [...additions.values()].flat();
    for (const addition of all) appendLines(this.#sql, addition, now);
    this.#shrink();
    return { additions: all, taken };
  }

  /** Reads the rows again before the next click. */
  forget(): void {
    this.#days.clear();
    this.#remembered = 0;
  }

  #toStored([at, , index, visitor, profile]: Click, place: DayOfLink, today: number): StoredClick {
    const atInDay = at - place.day * DAY_MS;
    if (isBot(profile)) return [atInDay, index, 0, 0, profile];
    const hash = this.#salts.hash(visitor, place.day, today);
    const isFirst = hash !== 0 && this.#remember(place, hash);
    return [atInDay, index, hash, isFirst ? 1 : 0, profile];
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
      for (const [id, clicks] of readLines(row)) {
        place.known.add(hashOf(id));
        for (const [, , visitor] of clicks) if (visitor !== 0) place.known.add(visitor);
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
const hashOf = (id: string) => siphash(NO_KEY, id) || 1;

/** The place itself takes as much memory as a few numbers. */
function sizeOf({ known }: DayOfLink): number {
  return known.size + REMEMBERED_PER_DAY_OF_LINK;
}

/** Puts a line into the row that is being filled, or where that is full into the next. */
function put(line: Line, place: DayOfLink, written: Addition[]): void {
  const text = JSON.stringify(line);
  if (place.chars >= MAX_PART_CHARS) {
    place.part++;
    place.chars = 0;
  }
  place.chars += text.length + 1;
  const { day, link, part } = place;
  let addition = written.at(-1);
  if (addition?.part !== part) {
    addition = { day, link, part, clicks: 0, firstAt: Infinity, lastAt: 0, lastClickAt: 0, lines: "" };
    written.push(addition);
  }
  addition.lines += addition.lines === "" ? text : `,${text}`;
  for (const [atInDay, , , , profile] of line[1]) {
    const at = day * DAY_MS + atInDay;
    addition.firstAt = Math.min(addition.firstAt, at);
    addition.lastAt = Math.max(addition.lastAt, at);
    if (isBot(profile)) continue;
    addition.clicks++;
    addition.lastClickAt = Math.max(addition.lastClickAt, at);
  }
}

function groupByDayOfLink(clicks: readonly Click[]): Click[][] {
  const groups = new Map<string, Click[]>();
  for (const click of clicks) {
    const key = `${Math.floor(click[0] / DAY_MS)}/${click[1]}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [click]);
    else group.push(click);
  }
  return [...groups.values()];
}
