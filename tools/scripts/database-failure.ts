import { setTimeout as sleep } from "node:timers/promises";

/** How long the log line of an error may take to arrive: the runtime sends it on another way than the error. */
const LOG_DELAY_MS = 500;
const LOG_POLL_MS = 20;

/**
 * The reasons of errors of the local runtime. Many of its errors say only "internal error; reference = ID"; what SQLite
 * said is in a line of its log that has the same ID.
 */
export class FailureReasons {
  readonly #byReference = new Map<string, string>();

  /** Takes a line of the runtime's log. */
  add(line: string): void {
    const reference = /wdErrId = (\w+)/.exec(line)?.[1];
    const reason = sqliteMessage(line);
    if (reference !== undefined && reason !== null) this.#byReference.set(reference, reason);
  }

  /** Returns what SQLite, the file system or else the runtime says, in one line. */
  async of(error: unknown): Promise<string> {
    const { message } = error as Error;
    const reference = /internal error; reference = (\w+)/.exec(message)?.[1];
    const logged = reference === undefined ? null : await this.#find(reference);
    return logged ?? sqliteMessage(message) ?? message.split("\n", 1)[0] ?? message;
  }

  async #find(reference: string): Promise<string | null> {
    for (let waitedMs = 0; waitedMs < LOG_DELAY_MS && !this.#byReference.has(reference); waitedMs += LOG_POLL_MS)
      await sleep(LOG_POLL_MS);
    return this.#byReference.get(reference) ?? null;
  }
}

/** Such as "database is locked: SQLITE_BUSY". */
function sqliteMessage(text: string): string | null {
  return /(?:= |ERROR: )([^"=\n]*: SQLITE_\w+)/.exec(text)?.[1] ?? null;
}

/** Whether another process has the database locked. */
export function isLock(reason: string): boolean {
  return /SQLITE_(?:BUSY|LOCKED|PROTOCOL)|database (?:\w+ )?is locked/.test(reason);
}

/** Whether the file is damaged for good. */
export function isDamage(reason: string): boolean {
  return /SQLITE_(?:NOTADB|CORRUPT)/.test(reason);
}
