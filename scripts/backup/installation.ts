import type { BackedUpRow, BackupCursor, BackupPage, KeyCheck } from "../../src/clicks/click-log/backup.ts";
import type { GivenPage, KeyCursor } from "./reconcile.ts";
import type { Call, Statement } from "./worker.ts";

/** One of the databases of an installation. */
export interface Database {
  /** Runs the statements in one transaction, and returns the rows of each. */
  database(statements: Statement[]): Promise<Record<string, unknown>[][]>;
}

/** The installation that a backup is made of or restored into. */
export interface Installation extends Database {
  /** How many databases it has. */
  databases: number;
  /** Its clock, Unix milliseconds. */
  now(): Promise<number>;
  /** Runs the statements in the database with this number, by default the core. */
  database(statements: Statement[], number?: number): Promise<Record<string, unknown>[][]>;
  firstClickAt(clickLog: string): Promise<number | null>;
  exportClicks(clickLog: string, after: BackupCursor | null): Promise<BackupPage>;
  importClicks(clickLog: string, rows: BackedUpRow[]): Promise<void>;
  makeKeyChecks(): Promise<KeyCheck[]>;
  findMissingKeys(checks: KeyCheck[]): Promise<string[]>;
  giveEntries(database: number, after: KeyCursor | null): Promise<GivenPage>;
  dropEntries(directory: number, after: string): Promise<{ next: string | null; dropped: number }>;
}

/** The installation behind a function that sends a call to the temporary Worker and returns its result. */
export function installationOf(databases: number, send: <T>(call: Call) => Promise<T>): Installation {
  return {
    databases,
    now: () => send({ type: "now" }),
    database: (statements, number = 0) => send({ type: "database", number, statements }),
    firstClickAt: (clickLog) => send({ type: "firstClickAt", clickLog }),
    exportClicks: (clickLog, after) => send({ type: "exportClicks", clickLog, after }),
    importClicks: (clickLog, rows) => send({ type: "importClicks", clickLog, rows }),
    makeKeyChecks: () => send({ type: "makeKeyChecks" }),
    findMissingKeys: (checks) => send({ type: "findMissingKeys", checks }),
    giveEntries: (database, after) => send({ type: "giveEntries", database, after }),
    dropEntries: (directory, after) => send({ type: "dropEntries", directory, after }),
  };
}

/** The databases of the installation by their numbers. */
export function databasesIn(installation: Installation): Database[] {
  return Array.from({ length: installation.databases }, (_, number) => ({
    database: (statements) => installation.database(statements, number),
  }));
}
