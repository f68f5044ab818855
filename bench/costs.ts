import type { Counted } from "./metered/meter.ts";
import { dollars, type Use } from "./prices.ts";

/** What an operation takes of what Cloudflare bills, and what a million of it cost in dollars. */
export interface Cost {
  operation: string;
  use: Use;
  dollars: Use & { total: number };
}

export function costOf({ operation, requests, meters }: Counted): Cost {
  const use = {
    workerRequest: requests + meters.consumerRequests,
    queueOperation: meters.queueOperations,
    objectRequest: meters.logRequests + meters.limiterRequests,
    objectRowRead: meters.logRowsRead + meters.limiterRowsRead,
    objectRowWritten: meters.logRowsWritten + meters.limiterRowsWritten,
    databaseRowRead: meters.databaseRowsRead,
    databaseRowWritten: meters.databaseRowsWritten,
  };
  return { operation, use, dollars: dollars(use, 1) };
}
