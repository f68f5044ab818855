import { MAX_CLICKS_PER_MESSAGE } from "../src/limits.ts";

// What operations cost at Cloudflare's list prices, beyond what a plan includes.

/** The day on which the list was read: https://developers.cloudflare.com/workers/platform/pricing/ and those of D1, Durable Objects and Queues. */
export const PRICES_READ_ON = "2026-11-21";

export const PRICES = {
  workerRequest: 0.3,
  queueOperation: 0.4,
  objectRequest: 0.15,
  objectRowRead: 0.001,
  objectRowWritten: 1,
  databaseRowRead: 0.001,
  databaseRowWritten: 1,
} as const; // dollars a million

/** How much of each an operation takes. */
export type Use = Record<keyof typeof PRICES, number>;

interface Mix {
  name: string;
  /** Per click. */
  use: Use;
}

/** Clicks of a second on their way through isolates, queue and consumer. */
interface Traffic {
  clicksPerSecond: number;
  links: number;
  linksPerAccount: number;
  /** The share of the clicks that each isolate gets. */
  isolates: number[];
}

const FLUSH_SECONDS = 0.25;
const MESSAGES_PER_DELIVERY = 100;
const SECONDS = 60;

/** What clicks turn into, each counted per click. */
function simulate({ clicksPerSecond, links, linksPerAccount, isolates }: Traffic) {
  // Links are as unequal as words: the n-th is asked for an n-th as often as the first.
  const linkOf = () => Math.floor(links ** Math.random());
  let [clicks, messages, deliveries, ingests, rows] = [0, 0, 0, 0, 0];
  for (let second = 0; second < SECONDS; second++) {
    const queued: number[][] = isolates.flatMap((share) => messagesOf(share * clicksPerSecond, linkOf));
    // They come from everywhere.
    queued.sort(() => Math.random() - 0.5);
    for (let first = 0; first < queued.length; first += MESSAGES_PER_DELIVERY) {
      const delivery = queued.slice(first, first + MESSAGES_PER_DELIVERY);
      const ofLinks = new Set(delivery.flat());
      messages += delivery.length;
      clicks += delivery.reduce((sum, message) => sum + message.length, 0);
      deliveries++;
      rows += ofLinks.size;
      ingests += new Set([...ofLinks].map((link) => link % Math.ceil(links / linksPerAccount))).size;
    }
  }
  return {
    messages: messages / clicks,
    deliveries: deliveries / clicks,
    ingests: ingests / clicks,
    rows: rows / clicks,
  };
}

/** The first click of a message waits for those of the next quarter of a second, or for the message to be full. */
function messagesOf(clicksPerSecond: number, linkOf: () => number): number[][] {
  const messages: number[][] = [];
  let openUntil = -1;
  for (let at = -Math.log(Math.random()) / clicksPerSecond; at < 1; at += -Math.log(Math.random()) / clicksPerSecond) {
    const last = messages.at(-1);
    if (last === undefined || at > openUntil || last.length === MAX_CLICKS_PER_MESSAGE) {
      messages.push([linkOf()]);
      openUntil = at + FLUSH_SECONDS;
    } else last.push(linkOf());
  }
  return messages;
}

/** Dollars for so many million operations. */
export function dollars(use: Use, millions: number): Use & { total: number } {
  const parts = Object.fromEntries(
    Object.entries(PRICES).map(([what, price]) => [what, use[what as keyof Use] * price * millions]),
  ) as Use;
  return { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

/** A billion clicks a month, in two ways. */
export function mixes(databaseRowsPerLink: number): Mix[] {
  const clicks = 1e9;
  const month = 30;
  const askedDaily = (links: number) => (links * month * databaseRowsPerLink) / clicks;
  // Each day of a link is written once more when it is folded.
  const folded = (links: number) => (links * month) / clicks;
  const fixed = { objectRowRead: 0, databaseRowRead: 0 };
  const cold = {
    ...fixed,
    workerRequest: 1 + 1 / 100,
    queueOperation: 3,
    objectRequest: 1,
    objectRowWritten: 1 + folded(1_000_000),
    databaseRowWritten: askedDaily(1_000_000),
  };
  const isolates = [...Array<number>(20).fill(0.6 / 20), ...Array<number>(300).fill(0.4 / 300)];
  const shares = simulate({
    clicksPerSecond: clicks / (month * 86_400),
    links: 100_000,
    linksPerAccount: 50,
    isolates,
  });
  const realistic = {
    ...fixed,
    workerRequest: 1 + shares.deliveries,
    queueOperation: 3 * shares.messages,
    objectRequest: shares.ingests,
    objectRowWritten: shares.rows + folded(100_000),
    databaseRowWritten: askedDaily(100_000),
  };
  return [
    {
      name: "all cold: each click alone in its message, its ClickLog request and its row; a million links, looked at daily",
      use: cold,
    },
    {
      name: "realistic: 100,000 links of 2,000 accounts, the n-th most frequent an n-th as often, 60 % of the clicks in 20 isolates and the rest in 300; links looked at daily",
      use: realistic,
    },
  ];
}
