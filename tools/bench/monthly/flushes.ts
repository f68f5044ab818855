import { CLICK_FLUSH_AFTER_MS, MAX_DIRECT_LOGS } from "../../../src/click-log/limits.ts";
import { DAY_MS, SECOND_MS } from "../../../src/limits.ts";
import type { Mix } from "./mix.ts";

/** Billing months of Cloudflare's calculations have 30 days. */
export const MONTH_DAYS = 30;

/** What the clicks of a month cause, by a simulation of this many flushes. */
const FLUSHES = 20_000;

/** As in wrangler.toml, of the queue of clicks. */
const MESSAGES_PER_BATCH = 100;
const BATCH_SECONDS = 1;

/** For each click, on average. */
export interface Flushed {
  /** Calls of ClickLogs. */
  calls: number;
  /** Rows that these write: one for each link. */
  rows: number;
  messages: number;
  /** Batches of messages that the queue delivers. */
  batches: number;
  /** Clicks that are the only one of their flush for their ClickLog. */
  alone: number;
}

/** Simulates how the clicks of isolates come together, by the rules of src/click-log/capture. */
export function simulateFlushes(mix: Mix, shares: Float64Array): Flushed {
  const random = randomNumbers(1);
  const drawLink = linkDrawer(shares, random);
  const perSecond = mix.clicks / ((MONTH_DAYS * DAY_MS) / SECOND_MS) / mix.isolates;
  const others = (perSecond * CLICK_FLUSH_AFTER_MS) / SECOND_MS;
  const total = { clicks: 0, calls: 0, rows: 0, messages: 0, batches: 0, alone: 0 };
  const queued: number[][] = [];
  for (let flush = 0; flush < FLUSHES; flush++) {
    // The first click starts the flush.
    const links = Array.from({ length: 1 + drawPoisson(others, random) }, drawLink);
    const accounts = links.map((link) => accountOf(link, mix));
    const logs = new Set(accounts).size;
    total.clicks += links.length;
    total.alone += accounts.filter((account, _, all) => all.indexOf(account) === all.lastIndexOf(account)).length;
    if (logs > MAX_DIRECT_LOGS) {
      queued.push(links);
      continue;
    }
    total.calls += logs;
    total.rows += new Set(links).size;
  }
  // The consumer stores the flushes of all isolates together.
  const flushesPerSecond = (perSecond / (1 + others)) * mix.isolates;
  const arriving = ((flushesPerSecond * queued.length) / FLUSHES) * BATCH_SECONDS;
  const together = Math.min(MESSAGES_PER_BATCH, Math.max(1, Math.round(arriving)));
  for (let start = 0; start < queued.length; start += together) {
    const flushes = queued.slice(start, start + together);
    const links = new Set(flushes.flat());
    total.messages += flushes.length;
    total.batches++;
    total.rows += links.size;
    total.calls += new Set([...links].map((link) => accountOf(link, mix))).size;
  }
  const { clicks, calls, rows, messages, batches, alone } = total;
  return {
    calls: calls / clicks,
    rows: rows / clicks,
    messages: messages / clicks,
    batches: batches / clicks,
    alone: alone / clicks,
  };
}

export const accountsOf = ({ links, linksPerAccount }: Mix): number => Math.max(1, Math.round(links / linksPerAccount));

/** The account of the link with this rank, counted from 0. */
export const accountOf = (link: number, mix: Mix): number => link % accountsOf(mix);

/** The share of each link in the clicks. */
export function linkShares({ links, zipfExponent }: Mix): Float64Array {
  const shares = new Float64Array(links);
  let sum = 0;
  for (let rank = 0; rank < links; rank++) sum += shares[rank] = (rank + 1) ** -zipfExponent;
  return shares.map((weight) => weight / sum);
}

function linkDrawer(shares: Float64Array, random: () => number): () => number {
  let sum = 0;
  const upTo = shares.map((share) => (sum += share));
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** The number of events when `mean` are expected (Knuth). */
function drawPoisson(mean: number, random: () => number): number {
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count++;
  return count;
}

/** The same numbers from 0 to 1 each time (mulberry32), so that the same mix has the same bill. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
