import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "./command.ts";

/** How long a command waits for another process that has the local database locked. */
export const LOCK_WAIT_MS = 30_000;
/** The time between two attempts. The running service holds a lock for milliseconds. */
const LOCK_POLL_MS = 200;
/** After how long the person at the terminal is told what the command waits for. */
const LOCK_NOTICE_MS = 1_000;

/** Another process has the local database locked. It passes, so nobody has to delete anything. */
export class DatabaseLocked extends Error {}

/**
 * Repeats a step as long as it throws {@link DatabaseLocked}, at most `waitMs` long. `database` is named at the beginning
 * of a sentence.
 */
export async function retryWhileLocked<T>(database: string, step: () => Promise<T>, waitMs: number): Promise<T> {
  const start = performance.now();
  let isTold = false;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof DatabaseLocked)) throw error;
    }
    const waitedMs = performance.now() - start;
    if (waitedMs >= waitMs) throw lockedFailure(database, waitMs);
    if (!isTold && waitedMs >= Math.min(LOCK_NOTICE_MS, waitMs / 2)) {
      isTold = true;
      console.error(`${database} is locked by another process. Waiting for it, up to ${toSeconds(waitMs)}.`);
    }
    await sleep(LOCK_POLL_MS);
  }
}

function lockedFailure(database: string, waitMs: number): Failure {
  return new Failure(
    `${database} was locked by another process for ${toSeconds(waitMs)}. Its data is in order. ` +
      "Run this command again; if that fails too, end the process that uses the database, such as a database client.",
  );
}

function toSeconds(ms: number): string {
  return `${ms / 1_000} seconds`;
}
