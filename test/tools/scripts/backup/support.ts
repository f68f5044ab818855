import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBackup, type Line } from "../../../../tools/scripts/backup/file.ts";
import type { Installation } from "../../../../tools/scripts/backup/installation.ts";
import { migrate, readSchema, type Schema } from "../../../../tools/scripts/migrations.ts";
import { toMigrated } from "../../../../tools/scripts/local-database.ts";
import { findMissingKeys, makeKeyChecks } from "../../../../src/click-log/log/backup.ts";
import { generateEncryptionKey } from "../../../../src/platform/lib/encryption.ts";
import { emptyDatabase } from "../support/database.ts";
import { temporaryFolder } from "../support/command.ts";

const WIDE = Array.from({ length: 70 }, (_, n) => `column${n}`);

/** The project's schema with a table whose rows belong to links, and one with many columns. */
export function schemaWithMore(): Schema {
  const schema = readSchema();
  const sql = readFileSync(schema.file, "utf8");
  const table = `CREATE TABLE test_aliases (
    domain TEXT NOT NULL, slug TEXT NOT NULL COLLATE NOCASE, link_seq INTEGER NOT NULL REFERENCES links (seq),
    PRIMARY KEY (domain, slug)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE test_wide (id INTEGER PRIMARY KEY, ${WIDE.map((name) => `${name} TEXT`).join(", ")}) STRICT;\n`;
  const file = join(temporaryFolder(), "schema.sql");
  const end = sql.lastIndexOf("INSERT INTO schema_migrations");
  writeFileSync(file, sql.slice(0, end) + table + sql.slice(end));
  return { ...schema, file };
}

export async function newDatabase(schema: Schema): Promise<D1Database> {
  const database = await emptyDatabase();
  await migrate(toMigrated(database, "The database"), schema);
  return database;
}

export const KEYS = generateEncryptionKey("k1");

/** An installation with this database and without clicks. `between` runs before each of its transactions. */
export function installationWith(
  db: D1Database,
  { keys = KEYS, now = Date.now, between }: { keys?: string; now?: () => number; between?: () => Promise<void> } = {},
): Installation {
  return {
    now: () => Promise.resolve(now()),
    async database(statements) {
      await between?.();
      const results = await db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values)));
      return results.map(({ results }) => results as Record<string, unknown>[]);
    },
    firstClickAt: () => Promise.resolve(null),
    exportClicks: () => Promise.resolve({ rows: [], next: null }),
    importClicks: () => Promise.reject(new Error("there are no clicks")),
    makeKeyChecks: () => makeKeyChecks(keys),
    findMissingKeys: (checks) => findMissingKeys(keys, checks),
  };
}

/** All rows of a table as JSON arrays. */
export async function rowsOf(db: D1Database, table: string, columns: readonly string[]): Promise<string[]> {
  const sql = `SELECT json_array(${columns.join(", ")}) AS row FROM ${table} ORDER BY 1`;
  const { results } = await db.prepare(sql).all<{ row: string }>();
  return results.map(({ row }) => row);
}

export const newFile = () => join(temporaryFolder(), "backup.gz");

const HEADER = { id: "1", schemaVersion: readSchema().version, startedAt: "", endedAt: "" };

export async function makeFile(lines: Line[], keys = KEYS): Promise<string> {
  const file = newFile();
  const output = openBackup(file);
  for (const line of lines) await output.write(line);
  await output.finish({ ...HEADER, keyChecks: await makeKeyChecks(keys) });
  return file;
}

export const ACCOUNT: Line = {
  table: "accounts",
  columns: ["id", "uuid", "name", "created_at"],
  rows: ['[1,"a","A",0]'],
};
