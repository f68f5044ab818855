import { openStorage } from "../../../platform/lib/object-storage.ts";

/** The tables of the Screener. */
const VERSION_1 = `
  CREATE TABLE IF NOT EXISTS chunks (
    list TEXT NOT NULL,
    first TEXT NOT NULL,               -- the lowest hash, in hex
    hashes BLOB NOT NULL,
    PRIMARY KEY (list, first)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lists (
    id TEXT NOT NULL PRIMARY KEY,
    entries INTEGER NOT NULL DEFAULT 0,
    refreshed_at INTEGER,
    due_at INTEGER NOT NULL DEFAULT 0,
    fault TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS watched_links (
    id TEXT NOT NULL PRIMARY KEY,
    since INTEGER NOT NULL,            -- the last change
    step INTEGER NOT NULL DEFAULT 0,
    idle_days INTEGER NOT NULL DEFAULT 0, -- the last pause, if the link was not clicked in it
    due_at INTEGER NOT NULL,
    clicks INTEGER NOT NULL DEFAULT 0,
    former INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS watched_links_due ON watched_links (due_at);`;

/** What leads from each version of the storage to the next. */
export const SCREENER_STEPS = [VERSION_1] as const;

export function openTables(storage: DurableObjectStorage): void {
  openStorage(storage, SCREENER_STEPS);
}
