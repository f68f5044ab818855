import { mkdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../errors.ts";
import { OWNER_ONLY_FILE, OWNER_ONLY_FOLDER } from "./folder.ts";

const RETRY_PAUSE_MS = 50;
const RENEWAL_MS = 2_000;
/** A lock that was not renewed for this long is of a process that was killed. */
const STALE_MS = 10_000;
const LONGEST_WAIT_MS = 60_000;

/** Runs `work` while this process has the lock file. Waits while another one has it. */
export async function withLock<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  await acquire(file);
  const renewal = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // A file that cannot be deleted now is soon a stale lock.
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function acquire(file: string): Promise<void> {
  const startedAt = Date.now();
  for (;;) {
    try {
      await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
      await writeFile(file, "", { flag: "wx", mode: OWNER_ONLY_FILE });
      return;
    } catch (error) {
      if (!isTaken(error)) throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
    }
    if (Date.now() - startedAt >= LONGEST_WAIT_MS)
      throw new UsageError(`Another tern command has the lock ${file}. Delete the file if no other one runs.`);
    if (await isStale(file)) await removeStale(file);
    else await pause(RETRY_PAUSE_MS);
  }
}

/**
 * Deletes a stale lock. A second file lets one process at a time look and delete, so that none deletes the new lock of another one that
 * has found the stale lock too.
 */
async function removeStale(file: string): Promise<void> {
  const takeover = `${file}.takeover`;
  try {
    await writeFile(takeover, "", { flag: "wx", mode: OWNER_ONLY_FILE });
  } catch {
    if (await isStale(takeover)) await rm(takeover, { force: true });
    return pause(RETRY_PAUSE_MS);
  }
  try {
    if (await isStale(file)) await rm(file, { force: true });
  } finally {
    await rm(takeover, { force: true });
  }
}

/** Windows says EPERM or EBUSY while a file is being deleted. */
const isTaken = (error: unknown): boolean =>
  ["EEXIST", "EPERM", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? "");

async function isStale(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > STALE_MS;
}
