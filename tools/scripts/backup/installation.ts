import type { BackedUpRow, BackupCursor, BackupPage, KeyCheck } from "../../../src/click-log/log/backup.ts";
import type { Call, Statement } from "./worker.ts";

/** The database of an installation. */
export interface Database {
  /** Runs the statements in one transaction, and returns the rows of each. */
  database(statements: Statement[]): Promise<Record<string, unknown>[][]>;
}

/** The installation that a backup is made of or restored into. */
export interface Installation extends Database {
  /** Its clock, Unix milliseconds. */
  now(): Promise<number>;
  firstClickAt(clickLog: string): Promise<number | null>;
  exportClicks(clickLog: string, after: BackupCursor | null): Promise<BackupPage>;
  importClicks(clickLog: string, rows: BackedUpRow[]): Promise<void>;
  makeKeyChecks(): Promise<KeyCheck[]>;
  findMissingKeys(checks: KeyCheck[]): Promise<string[]>;
}

/** The installation behind a function that sends a call to the temporary Worker and returns its result. */
export function installationOf(send: <T>(call: Call) => Promise<T>): Installation {
  return {
    now: () => send({ type: "now" }),
    database: (statements) => send({ type: "database", statements }),
    firstClickAt: (clickLog) => send({ type: "firstClickAt", clickLog }),
    exportClicks: (clickLog, after) => send({ type: "exportClicks", clickLog, after }),
    importClicks: (clickLog, rows) => send({ type: "importClicks", clickLog, rows }),
    makeKeyChecks: () => send({ type: "makeKeyChecks" }),
    findMissingKeys: (checks) => send({ type: "findMissingKeys", checks }),
  };
}
