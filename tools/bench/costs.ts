import type { CountedOperation } from "./instrumented/operations.ts";

/** The day on which the prices were read at https://developers.cloudflare.com/workers/platform/pricing/ */
export const PRICES_READ_ON = "2026-11-21";

/** Cloudflare's list prices beyond what a plan includes, in dollars a million. */
export const PRICES = {
  workerRequest: 0.3,
  queueOperation: 0.4,
  objectRequest: 0.15,
  objectGigabyteSecond: 12.5,
  objectRowRead: 0.001,
  objectRowWritten: 1,
  databaseRowRead: 0.001,
  databaseRowWritten: 1,
} as const;

type Resource = keyof typeof PRICES;

export type Use = Record<Resource, number>;

/** Dollars a month of the Workers plan. */
export const PLAN_DOLLARS = 5;

/** What a month of the plan includes, in the unit of the prices: millions. */
export const INCLUDED: Use = {
  workerRequest: 10,
  queueOperation: 1,
  objectRequest: 1,
  objectGigabyteSecond: 0.4,
  objectRowRead: 25_000,
  objectRowWritten: 50,
  databaseRowRead: 25_000,
  databaseRowWritten: 50,
};

/** What an account without the plan may use in a day, from 00:00 UTC on. Read on the day of the prices. */
export const FREE_A_DAY: Use = {
  workerRequest: 100_000,
  queueOperation: 10_000,
  objectRequest: 100_000,
  objectGigabyteSecond: 13_000,
  objectRowRead: 5_000_000,
  objectRowWritten: 100_000,
  databaseRowRead: 5_000_000,
  databaseRowWritten: 100_000,
};

/** What else a month costs: millions of milliseconds of CPU, and gigabytes. */
export const MONTHLY_PRICES = { cpuMillisecond: 0.02, objectGigabyte: 0.2, databaseGigabyte: 0.75 } as const;

export const MONTHLY_INCLUDED = { cpuMillisecond: 30, objectGigabyte: 5, databaseGigabyte: 5 } as const;

/** The memory that an object pays for while it is active, whatever it uses: 128 MB. */
export const OBJECT_GIGABYTES = 0.128;

export interface Cost {
  operation: string;
  /** What one operation uses. */
  use: Use;
  /** Price of a million operations. */
  dollars: number;
}

export function costOf({ operation, requests, counters }: CountedOperation): Cost {
  const use = {
    workerRequest: requests + counters.consumerRequests,
    queueOperation: counters.queueOperations,
    objectRequest: counters.logRequests + counters.limiterRequests,
    objectGigabyteSecond: ((counters.logActiveMs + counters.limiterActiveMs) / 1_000) * OBJECT_GIGABYTES,
    objectRowRead: counters.logRowsRead + counters.limiterRowsRead,
    objectRowWritten: counters.logRowsWritten + counters.limiterRowsWritten,
    databaseRowRead: counters.databaseRowsRead,
    databaseRowWritten: counters.databaseRowsWritten,
  };
  return { operation, use, dollars: priceOf(use) };
}

/** Beyond what a plan includes, in the unit of the use: dollars for a million operations if the use is that of one. */
export function priceOf(use: Use): number {
  const prices = Object.entries(PRICES) as [Resource, number][];
  return prices.reduce((sum, [resource, price]) => sum + use[resource] * price, 0);
}
