import type { Credential } from "../../platform/auth/credential.ts";
import { MAX_LIVE_CLICKS_PER_MESSAGE, MAX_LIVE_MESSAGES } from "../../limits.ts";
import { toClickRecord, type ClickRecord, type StoredClick } from "../click-record.ts";
import type { LinkDaySegment } from "./encoding.ts";
import type { Filters } from "./filters.ts";
import { createPartMatchers, type PartMatchers } from "./segment-counts.ts";
import type { LinkSelection } from "./selected-rows.ts";
import { countedClicks, toStoredClick } from "./stored-clicks.ts";
import { LIVE_MESSAGES_WINDOW_MS } from "../limits.ts";

// Which new clicks a WebSocket gets, and when. Pure.

/** What a WebSocket shows, and for whom. Times are Unix milliseconds. */
export interface View {
  accountId: number;
  viewer: Viewer;
  links: LinkSelection;
  filters: Filters;
  /** When the viewer's right was last known to hold. */
  allowedAt: number;
  /** When the WebSocket is closed. */
  expiresAt: number;
}

/** The credential of who watches. */
export type Viewer = Credential;

/** A message of a WebSocket. */
export interface LiveMessage {
  /** The newest of the new clicks, the newest first. */
  clicks: ClickRecord[];
  /** All new clicks. */
  total: number;
}

/** Collects the clicks of one view until its next message. */
export class LiveFeed {
  readonly #links: ReadonlySet<string> | null;
  readonly #matchers: PartMatchers;
  #newest: StoredClick[] = [];
  #total = 0;
  /** The times of the last messages, the oldest first. */
  readonly #sentAt: number[] = [];

  constructor({ links, filters }: Pick<View, "links" | "filters">) {
    this.#links = links === null ? null : new Set(links);
    this.#matchers = createPartMatchers(filters);
  }

  add(segment: LinkDaySegment, deletedLinks: ReadonlySet<string>): void {
    if (deletedLinks.has(segment.link) || this.#links?.has(segment.link) === false) return;
    const clicks = countedClicks(segment, this.#matchers);
    this.#total += clicks.length;
    const newest = clicks.sort(([a], [b]) => a - b).slice(-MAX_LIVE_CLICKS_PER_MESSAGE);
    this.#newest.push(...newest.map((click) => toStoredClick(segment, click)));
    this.#newest.sort((a, b) => a.clickedAt - b.clickedAt);
    this.#newest.splice(0, this.#newest.length - MAX_LIVE_CLICKS_PER_MESSAGE);
  }

  /** Whether there are clicks, and a message may be sent. */
  isDue(now: number): boolean {
    const before = this.#sentAt.at(-MAX_LIVE_MESSAGES);
    return this.#total > 0 && (before === undefined || now - before >= LIVE_MESSAGES_WINDOW_MS);
  }

  /** Removes and returns the collected clicks. */
  take(now: number): LiveMessage {
    this.#sentAt.push(now);
    this.#sentAt.splice(0, this.#sentAt.length - MAX_LIVE_MESSAGES);
    const clicks = this.#newest.toReversed().map(toClickRecord);
    const message = { clicks, total: this.#total };
    this.#newest = [];
    this.#total = 0;
    return message;
  }
}
