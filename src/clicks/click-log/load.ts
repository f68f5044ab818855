import { SECOND_MS } from "../../duration.ts";
import { readTarget, type ClickBatch } from "../capture/message.ts";
import {
  BUSY_LOG_CALLS_PER_SECOND,
  BUSY_LOG_CLICKS_PER_SECOND,
  HOT_LINK_LOAD,
  LINKS_COUNTED_FROM_LOAD,
  LOAD_WINDOW_MS,
  MAX_COUNTED_LINKS,
} from "../limits.ts";

/** The load of a ClickLog that was too busy in a window. */
export interface BusyLog {
  /** As a multiple of the load at which a ClickLog is too busy. */
  load: number;
  /** The links that cause much of it. */
  hotLinks: string[];
}

/** Measures the load of a ClickLog in windows of {@link LOAD_WINDOW_MS}. */
export class Load {
  #windowEndsAt = 0;
  #calls = 0;
  #clicks = 0;
  /** Clicks by link, of a part of the window. */
  readonly #byLink = new Map<string, number>();
  #clicksByLink = 0;

  /** Counts a call. If a window was too busy, the first call after it returns its load; else null. */
  count(batches: readonly ClickBatch[], now: number): BusyLog | null {
    const busy = now >= this.#windowEndsAt ? this.#endWindow(now) : null;
    this.#calls++;
    for (const batch of batches) {
      this.#clicks += batch.clicks.at.length;
      if (this.#loadSoFar() >= LINKS_COUNTED_FROM_LOAD) this.#countLinks(batch);
    }
    return busy;
  }

  #countLinks({ targets, clicks: { target } }: ClickBatch): void {
    const links = targets.map((text) => readTarget(text).linkId);
    for (const index of target) {
      const link = links[index] ?? "";
      if (this.#byLink.size >= MAX_COUNTED_LINKS && !this.#byLink.has(link)) continue;
      this.#byLink.set(link, (this.#byLink.get(link) ?? 0) + 1);
    }
    this.#clicksByLink += target.length;
  }

  #loadSoFar(): number {
    const seconds = LOAD_WINDOW_MS / SECOND_MS;
    const clicks = this.#clicks / (BUSY_LOG_CLICKS_PER_SECOND * seconds);
    return Math.max(clicks, this.#calls / (BUSY_LOG_CALLS_PER_SECOND * seconds));
  }

  #endWindow(now: number): BusyLog | null {
    const load = this.#loadSoFar();
    const isHot = (clicks: number) => (clicks / this.#clicksByLink) * load >= HOT_LINK_LOAD;
    const hotLinks = [...this.#byLink].flatMap(([link, clicks]) => (isHot(clicks) ? [link] : []));
    this.#windowEndsAt = now + LOAD_WINDOW_MS;
    this.#calls = this.#clicks = this.#clicksByLink = 0;
    this.#byLink.clear();
    return load >= 1 ? { load, hotLinks } : null;
  }
}
