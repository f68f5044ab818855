import type { Use } from "./costs.ts";

type Counts = [
  requests: number,
  databaseRows: [read: number, written: number],
  objects: [requests: number, rowsWritten: number],
  queueOperations: number,
];

/** What each operation uses. `npm run bench` counts it, and test/tools/scripts/bench.nightly.test.ts asserts that it counts this. */
export const COUNTED = {
  "redirect, hot": [1, [0, 0], [0, 0], 0],
  "redirect, cached": [1, [0, 0], [0, 0], 0],
  "redirect, cold": [1, [1, 0], [0, 0], 0],
  "unknown slug": [1, [0, 0], [0, 0], 0],
  "click, alone in its flush": [0, [0, 0], [1, 1], 0],
  "delivery of a click, with its event": [1, [68, 4], [0, 2], 3],
  "an account's day with a click": [0, [1, 0], [2, 8], 0],
  "another link with a click on that day": [0, [1, 0], [0, 2], 0],
  "an anonymous link with one click ever, 1 a day in its ClickLog": [0, [1, 0], [4, 17], 0],
  "an anonymous link with one click ever, 20 a day in its ClickLog": [0, [1, 0], [1.15, 2.75], 0],
  "authenticate, from a new address": [1, [1, 0], [2, 3], 0],
  "authenticate, from an address of today": [1, [1, 0], [1, 1], 0],
  "authenticate, with a key unused for a minute": [1, [2, 1], [1, 1], 0],
  "get a link": [1, [2, 0], [3, 3], 0],
  "shorten without a key": [1, [7, 4], [6, 9], 0],
  "create a link, from a new address": [1, [16, 5], [2, 3], 0],
  "create a link, from an address of today": [1, [16, 5], [1, 1], 0],
  "delivery, with its event": [1, [54, 5], [0, 0], 3],
  "a run of the cron, with nothing due": [1, [134, 1], [2, 0], 0],
} satisfies Record<string, Counts>;

export type Operation = keyof typeof COUNTED;

/** Times are not among the counts. Rows that objects read are neither: a million costs a tenth of a cent. */
export function useOf(operation: Operation): Use {
  const [requests, [read, written], [objectRequests, objectRowsWritten], queueOperations] = COUNTED[operation];
  return {
    workerRequest: requests,
    queueOperation: queueOperations,
    objectRequest: objectRequests,
    objectGigabyteSecond: 0,
    objectRowRead: 0,
    objectRowWritten: objectRowsWritten,
    databaseRowRead: read,
    databaseRowWritten: written,
  };
}
