import { openStorage } from "../../platform/lib/object-storage.ts";

/**
 * The tables of a JobRunner. An inactive job is deleted at `due_at`; of an active one, this is the time of the next page. The
 * records of a job are in named lists.
 */
const VERSION_1 = `
  CREATE TABLE IF NOT EXISTS jobs (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    starter TEXT NOT NULL,             -- JSON object
    base_url TEXT NOT NULL,
    input TEXT NOT NULL,               -- JSON, in the form of the kind
    status TEXT NOT NULL,
    details TEXT,                      -- JSON, in the form of the kind
    position TEXT NOT NULL DEFAULT 'null', -- JSON: where the next page starts
    done INTEGER NOT NULL DEFAULT 0,   -- items of the current phase
    total INTEGER NOT NULL DEFAULT 0,  -- items of the current phase, as far as it is known
    counts TEXT NOT NULL DEFAULT '{}', -- JSON object: numbers by name
    error TEXT,                        -- why it failed
    failures INTEGER NOT NULL DEFAULT 0, -- consecutive ones
    due_at INTEGER NOT NULL,           -- Unix milliseconds, like all other times
    created_at INTEGER NOT NULL,
    started_at INTEGER,                -- NULL: it was not started yet
    finished_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS uploads (at INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS records (
    job_id TEXT NOT NULL,
    list TEXT NOT NULL,
    number INTEGER NOT NULL,
    part INTEGER NOT NULL,
    value ANY NOT NULL,                -- text or bytes
    PRIMARY KEY (job_id, list, number, part)
  ) STRICT, WITHOUT ROWID;`;

/** What leads from each version of the storage to the next. */
export const JOB_RUNNER_STEPS = [VERSION_1] as const;

/** Makes the tables before the first job. */
export function createTables(storage: DurableObjectStorage): void {
  openStorage(storage, JOB_RUNNER_STEPS);
}

/** Brings the tables of former jobs to the newest version. */
export function upgradeTables(storage: DurableObjectStorage): void {
  openStorage(storage, JOB_RUNNER_STEPS, hasTables(storage.sql));
}

/** Whether there are tables: a JobRunner without jobs has none, so that nothing of it is stored. */
export function hasTables(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'jobs'").toArray().length > 0;
}
