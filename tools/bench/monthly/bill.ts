import { MAX_PART_CHARS, DEFAULT_CLICK_RETENTION_DAYS } from "../../../src/click-log/limits.ts";
import {
  INCLUDED,
  MONTHLY_INCLUDED,
  MONTHLY_PRICES,
  OBJECT_GIGABYTES,
  PLAN_DOLLARS,
  PRICES,
  type Use,
} from "../costs.ts";
import { useOf, type Operation } from "../counts.ts";
import { accountOf, accountsOf, linkShares, MONTH_DAYS, simulateFlushes, type Flushed } from "./flushes.ts";
import type { Mix } from "./mix.ts";

// What an installation of a year pays in a month.

export const ALL_PRICES = { ...PRICES, ...MONTHLY_PRICES };
export const ALL_INCLUDED = { ...INCLUDED, ...MONTHLY_INCLUDED };

export type Billed = keyof typeof ALL_PRICES;

/** In the units of the prices. */
type Usage = Partial<Record<Billed, number>>;

export interface Bill {
  flushed: Flushed;
  /** Dollars of each cause by list prices. */
  causes: Record<Cause, number>;
  /** What the plan includes of that, in dollars. */
  included: number;
  usage: Usage;
  dollars: number;
}

export const CAUSES = [
  "requests of visitors",
  "storing clicks",
  "days with clicks: salt, alarms, rollup",
  "events of clicks, with their deliveries",
  "API calls",
  "storage",
] as const;

type Cause = (typeof CAUSES)[number];

const MILLION = 1_000_000;

// Assumptions about production. None of them can be counted here.

/** CPU time of a redirect, as benchmarks measure it together with the local server. */
const REDIRECT_CPU_MS = 0.2;
/** Of an API call, a delivery, and a batch of click messages. */
const CALL_CPU_MS = 6;
/** An object is active for this time after a call begins. Locally it takes less than 1 ms. */
const OBJECT_CALL_MS = 10;

// Sizes, measured with the clicks of tools/bench/instrumented/clicks.js.

/** A click that was stored alone. */
const CLICK_BYTES = 297;
/** A rollup of a link's day without its clicks, and what each click adds. */
const ROLLUP_BYTES = 600;
const ROLLED_UP_CLICK_BYTES = 90;
/** A link in D1 with a title, two tags and UTM parameters, and its indexes (docs/adr/0010-search-index.md). */
const LINK_BYTES = 1_360;
const YEAR_DAYS = 365;

export function billOf(mix: Mix): Bill {
  const shares = linkShares(mix);
  const flushed = simulateFlushes(mix, shares);
  const usages: Record<Cause, Usage> = {
    "requests of visitors": visits(mix),
    "storing clicks": stored(mix, flushed),
    "days with clicks: salt, alarms, rollup": daysWithClicks(mix, shares),
    "events of clicks, with their deliveries": times("delivery of a click, with its event", deliveriesOf(mix), {
      cpuMillisecond: CALL_CPU_MS,
    }),
    "API calls": calls(mix),
    storage: storage(mix, shares),
  };
  const usage = sum(Object.values(usages));
  const included = dollarsOf(atMost(usage, ALL_INCLUDED));
  const causes = Object.fromEntries(CAUSES.map((cause) => [cause, dollarsOf(usages[cause])])) as Bill["causes"];
  return { flushed, causes, included, usage, dollars: PLAN_DOLLARS + dollarsOf(usage) - included };
}

function visits({ clicks, uncountedPerClick, unknownPerClick, coldShare, cachedShare }: Mix): Usage {
  const cpu = { cpuMillisecond: REDIRECT_CPU_MS };
  const hotPerClick = 1 - coldShare - cachedShare + uncountedPerClick;
  return sum([
    times("redirect, hot", clicks * hotPerClick, cpu),
    times("redirect, cached", clicks * cachedShare, cpu),
    times("redirect, cold", clicks * coldShare, cpu),
    times("unknown slug", clicks * unknownPerClick, cpu),
  ]);
}

function stored({ clicks }: Mix, { calls: callsPerClick, rows, messages, batches }: Flushed): Usage {
  const { objectRequest, objectRowWritten } = useOf("click, alone in its flush");
  // It sends one message.
  const { queueOperation } = useOf("delivery of a click, with its event");
  return withDuration(
    scale(
      {
        objectRequest: objectRequest * callsPerClick,
        objectRowWritten: objectRowWritten * rows,
        queueOperation: queueOperation * messages,
        workerRequest: batches,
        cpuMillisecond: batches * CALL_CPU_MS,
      },
      clicks,
    ),
  );
}

/** What ClickLogs do besides for each day with clicks. */
function daysWithClicks(mix: Mix, shares: Float64Array): Usage {
  const clicksPerDay = mix.clicks / MONTH_DAYS;
  const ofAccounts = new Float64Array(accountsOf(mix));
  let linkDays = 0;
  let fullParts = 0;
  for (const [link, share] of shares.entries()) {
    const account = accountOf(link, mix);
    ofAccounts[account] = (ofAccounts[account] ?? 0) + share;
    linkDays += chanceOfAny(share * clicksPerDay);
    // A rollup deletes each part.
    fullParts += Math.floor((share * clicksPerDay * CLICK_BYTES) / MAX_PART_CHARS);
  }
  const accountDays = ofAccounts.reduce((days, share) => days + chanceOfAny(share * clicksPerDay), 0);
  // The click itself is among the stored ones, and its redirect among the requests.
  const { databaseRowRead } = useOf("redirect, cold");
  const click = { ...useOf("click, alone in its flush"), databaseRowRead };
  const ofDay = minus(useOf("an account's day with a click"), click);
  const ofLink = minus(useOf("another link with a click on that day"), { ...click, objectRequest: 0 });
  return withDuration(
    sum([
      scale(ofDay, accountDays * MONTH_DAYS),
      scale(ofLink, (linkDays - accountDays) * MONTH_DAYS),
      scale({ objectRowWritten: 1 }, fullParts * MONTH_DAYS),
    ]),
  );
}

const deliveriesOf = ({ clicks, crawlerShare, webhookShare }: Mix) => clicks * (1 - crawlerShare) * webhookShare;

function calls({ clicks, creationsPerClick, readsPerClick }: Mix): Usage {
  const cpu = { cpuMillisecond: CALL_CPU_MS };
  return sum([
    times("create a link, from a new address", clicks * creationsPerClick, cpu),
    times("get a link", clicks * readsPerClick, cpu),
  ]);
}

/** At the end of a year with the same clicks and links each month. */
function storage(mix: Mix, shares: Float64Array): Usage {
  const clicksPerDay = mix.clicks / MONTH_DAYS;
  let bytes = 0;
  for (const share of shares) {
    const clicks = share * clicksPerDay;
    const days = chanceOfAny(clicks);
    const perDay = clicks / days;
    bytes += days * DEFAULT_CLICK_RETENTION_DAYS * rowBytes(perDay * CLICK_BYTES);
    bytes +=
      days * (YEAR_DAYS - DEFAULT_CLICK_RETENTION_DAYS) * rowBytes(ROLLUP_BYTES + perDay * ROLLED_UP_CLICK_BYTES);
  }
  return { objectGigabyte: bytes / 1e9, databaseGigabyte: (mix.links * LINK_BYTES) / 1e9 };
}

/** The chance of one or more independent events where `mean` are expected. */
const chanceOfAny = (mean: number) => -Math.expm1(-mean);

const PAGE_BYTES = 4_096;
/** The most and the least bytes of a row that SQLite keeps in the page of its table. The rest is in pages of its own. */
const MAX_LOCAL_BYTES = 1_002;
const MIN_LOCAL_BYTES = 489;

function rowBytes(bytes: number): number {
  if (bytes <= MAX_LOCAL_BYTES) return bytes;
  return MIN_LOCAL_BYTES + Math.ceil((bytes - MIN_LOCAL_BYTES) / PAGE_BYTES) * PAGE_BYTES;
}

/** The use of this number of operations, each with `more`. */
function times(operation: Operation, count: number, more: Usage): Usage {
  return withDuration(scale({ ...useOf(operation), ...more }, count));
}

/** In the units of the prices. */
function scale(use: Partial<Record<Billed, number>>, count: number): Usage {
  return mapUsage(use, (value) => (value * count) / MILLION);
}

/** Adds the time for which objects are active. */
function withDuration(usage: Usage): Usage {
  const objectGigabyteSecond = ((usage.objectRequest ?? 0) * OBJECT_CALL_MS * OBJECT_GIGABYTES) / 1_000;
  return { ...usage, objectGigabyteSecond };
}

function mapUsage(usage: Usage, change: (value: number, resource: Billed) => number): Usage {
  const entries = Object.entries(usage) as [Billed, number][];
  return Object.fromEntries(entries.map(([resource, value]) => [resource, change(value, resource)]));
}

function sum(usages: Usage[]): Usage {
  const total: Usage = {};
  for (const usage of usages)
    for (const [resource, value] of Object.entries(usage) as [Billed, number][])
      total[resource] = (total[resource] ?? 0) + value;
  return total;
}

const minus = (use: Use, other: Usage) => mapUsage(use, (value, resource) => value - (other[resource] ?? 0));

const atMost = (usage: Usage, most: Record<Billed, number>) =>
  mapUsage(usage, (value, resource) => Math.min(value, most[resource]));

function dollarsOf(usage: Usage): number {
  const entries = Object.entries(usage) as [Billed, number][];
  return entries.reduce((dollars, [resource, value]) => dollars + value * ALL_PRICES[resource], 0);
}
