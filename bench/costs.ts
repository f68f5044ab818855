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

/** The memory that an object pays for while it is active, whatever it uses: 128 MB. */
const OBJECT_GIGABYTES = 0.128;

export interface Cost {
  operation: string;
  /** What one operation uses. */
  use: Record<Resource, number>;
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
  const prices = Object.entries(PRICES) as [Resource, number][];
  return { operation, use, dollars: prices.reduce((sum, [resource, price]) => sum + use[resource] * price, 0) };
}
