import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readSchema, type Schema } from "../../../../tools/scripts/migrations.ts";
import { temporaryFolder } from "./command.ts";

/** A schema of its own, because the project's tables may get any column, index or migration later. */
const VERSION_1 = `
  CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE accounts (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, name TEXT NOT NULL) STRICT;
  CREATE TABLE api_keys (id TEXT PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id)) STRICT;
  CREATE TABLE links (
    seq INTEGER PRIMARY KEY,
    account_id INTEGER REFERENCES accounts (id),
    slug TEXT NOT NULL,
    clicks INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX links_by_slug ON links (slug);
`;

const record = (version: number) => `INSERT INTO schema_migrations (version) VALUES (${version});\n`;

/** Returns a schema whose migrations are these scripts. Each gets the line that records its version. */
export function schemaWith(...scripts: string[]): Schema {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "migrations"));
  for (const [index, script] of scripts.entries()) {
    const version = index + 2;
    const file = `${String(version).padStart(4, "0")}-added.sql`;
    writeFileSync(join(folder, "migrations", file), `${script}\n${record(version)}`);
  }
  writeFileSync(join(folder, "schema.sql"), `${VERSION_1}${scripts.join("\n")}\n${record(scripts.length + 1)}`);
  return readSchema(folder);
}

/** The version that the database has recorded. */
export async function versionOf(database: D1Database): Promise<number | null> {
  return database.prepare("SELECT max(version) AS version FROM schema_migrations").first<number>("version");
}
