import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Failure } from "./command.ts";
import { ROOT } from "./wrangler.ts";

// Two runtimes with the same Durable Objects would overwrite each other's data. A lock of SQLite ends with the process that
// holds it, whatever killed that.

/** Kept, because a database that nobody refers to is closed. */
let held: DatabaseSync | undefined;

/** Locks the state for a service of `npm start` until this process ends. Throws if another service runs with it. */
export function lockState(stateDirectory: string, address: string): void {
  refuseRunningService(stateDirectory);
  try {
    mkdirSync(resolve(ROOT, stateDirectory), { recursive: true });
    held = new DatabaseSync(lockFile(stateDirectory));
    held.exec("BEGIN IMMEDIATE; DROP TABLE IF EXISTS service; CREATE TABLE service (address TEXT)");
    held.prepare("INSERT INTO service VALUES (?)").run(address);
    // Others can read the address from here on. If one of them gets the lock in between, this one throws.
    held.exec("COMMIT; BEGIN IMMEDIATE");
  } catch (error) {
    const { message } = error as Error;
    if (isLocked(error)) throw refusal(stateDirectory, "npm start");
    throw new Failure(
      `The folder ${stateDirectory} cannot be used: ${message}. Mend that, or use another folder: --persist-to DIR.`,
    );
  }
}

/** Throws if another process of `npm start` runs with the state. */
export function refuseStarted(stateDirectory: string): void {
  const file = lockFile(stateDirectory);
  if (held !== undefined || !existsSync(file)) return;
  const database = new DatabaseSync(file);
  try {
    database.exec("BEGIN IMMEDIATE; ROLLBACK");
  } catch (error) {
    if (!isLocked(error)) throw error;
    const row = database.prepare("SELECT address FROM service").get();
    throw refusal(stateDirectory, `npm start, at ${String(row?.["address"])}`);
  } finally {
    database.close();
  }
}

/** Throws if any service runs with the state, also `wrangler dev`. */
export function refuseRunningService(stateDirectory: string): void {
  refuseStarted(stateDirectory);
  const file = databaseFile(stateDirectory);
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file);
  try {
    // Needs the only connection to the file. A running `wrangler dev` keeps one open.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;");
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw refusal(stateDirectory, "npm start, wrangler dev");
  } finally {
    database.close();
  }
}

/** The runtime's own database for D1, which exists and is open as long as D1 is in use. */
export function databaseFile(stateDirectory: string): string {
  return join(resolve(ROOT, stateDirectory), "v3/d1/miniflare-D1DatabaseObject/metadata.sqlite");
}

function lockFile(stateDirectory: string): string {
  return join(resolve(ROOT, stateDirectory), "service.sqlite");
}

function isLocked(error: unknown): boolean {
  return /locked/.test((error as Error).message);
}

function refusal(stateDirectory: string, service: string): Failure {
  return new Failure(
    `The service runs with the data in ${stateDirectory}. Stop it first (${service}), or use another folder: --persist-to DIR.`,
  );
}
