import type { Credential } from "../../auth/credential.ts";
import { MAX_LIVE_CLICKS_PER_MESSAGE, MAX_LIVE_MESSAGES } from "../../limits.ts";
import { clickId } from "../click-id.ts";
import { toClickRecord, type ClickRecord } from "../click-record.ts";
import { isBot, joinProfile } from "../profile.ts";
import type { EnrichedClick } from "./enrich.ts";
import type { Filters } from "./filters.ts";
import { createPartMatchers, type PartMatchers } from "./segment-counts.ts";
import type { LinkSelection } from "./selected-rows.ts";
import { LIVE_MESSAGES_WINDOW_MS } from "../limits.ts";

// Which new clicks a WebSocket gets, and when. Pure.

/** The clicks of a batch that were stored just now. */
export interface NewClicks {
  batchId: string;
  clicks: readonly EnrichedClick[];
}

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
  #newest: [batchId: string, click: EnrichedClick][] = [];
  #total = 0;
  /** The times of the last messages, the oldest first. */
  readonly #sentAt: number[] = [];

  constructor({ links, filters }: Pick<View, "links" | "filters">) {
    this.#links = links === null ? null : new Set(links);
    this.#matchers = createPartMatchers(filters);
  }

  add({ batchId, clicks }: NewClicks, deletedLinks: ReadonlySet<string>): void {
    const { origin, target, client } = this.#matchers;
    const passes = [once(origin), once(target), once(client)] as const;
    for (const click of clicks) {
      if (isBot(click.client) || deletedLinks.has(click.linkId)) continue;
      if (this.#links?.has(click.linkId) === false) continue;
      if (!passes[0](click.origin) || !passes[1](click.target) || !passes[2](click.client)) continue;
      this.#total++;
      this.#newest.push([batchId, click]);
    }
    this.#newest.sort(([, a], [, b]) => a.at - b.at);
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
    const clicks = this.#newest.toReversed().map(([batchId, click]) => toRecord(batchId, click));
    const message = { clicks, total: this.#total };
    this.#newest = [];
    this.#total = 0;
    return message;
  }
}

function toRecord(batchId: string, { at, linkId, index, origin, target, client }: EnrichedClick): ClickRecord {
  const id = clickId(at, batchId, index);
  return toClickRecord({ id, linkId, clickedAt: at, profile: joinProfile(origin, target, client) });
}

/** The matcher, which then compares each text once. */
function once(matcher: ((text: string) => boolean) | null): (text: string) => boolean {
  if (matcher === null) return () => true;
  const known = new Map<string, boolean>();
  return (text) => {
    const passes = known.get(text) ?? matcher(text);
    known.set(text, passes);
    return passes;
  };
}
