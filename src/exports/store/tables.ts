/**
 * The tables of an Exporter. The file of an export is stored in pieces: those of an entry follow each other by `number`, the
 * entries by `entry`. What an entry is depends on the file: a table in a ZIP file, whose piece 0 is its header; the directory
 * at the end of it; all images of a ZIP file; or a file that is one table.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS exports (
    id TEXT NOT NULL PRIMARY KEY,
    request TEXT NOT NULL,             -- JSON object
    status TEXT NOT NULL,
    position TEXT NOT NULL,            -- JSON object: where the next page starts
    done INTEGER NOT NULL DEFAULT 0,   -- records
    total INTEGER NOT NULL DEFAULT 0,  -- records, as far as it is known
    size INTEGER,                      -- bytes of the file; NULL: it is not complete
    error TEXT,                        -- why it failed
    failures INTEGER NOT NULL DEFAULT 0, -- consecutive ones
    due_at INTEGER NOT NULL,           -- the next page, or the deletion; Unix milliseconds, like all other times
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entries (
    export_id TEXT NOT NULL,
    entry INTEGER NOT NULL,
    source TEXT NOT NULL,
    format TEXT NOT NULL,
    part INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    size INTEGER NOT NULL,             -- bytes before compression
    packed_size INTEGER NOT NULL,
    pieces INTEGER NOT NULL,
    PRIMARY KEY (export_id, entry)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS pieces (
    export_id TEXT NOT NULL,
    entry INTEGER NOT NULL,
    number INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (export_id, entry, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS names (   -- of the files in an archive, in lower case and without extensions
    export_id TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (export_id, name)
  ) STRICT, WITHOUT ROWID;`;

export function createTables(sql: SqlStorage): void {
  sql.exec(SCHEMA);
}

/** Whether there are tables: an Exporter without exports has none, so that nothing of it is stored. */
export function hasTables(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'exports'").toArray().length > 0;
}
