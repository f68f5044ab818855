import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readSchema, type Schema } from "../../../../tools/scripts/migrations.ts";
import { temporaryFolder } from "./command.ts";

/** The schema of version 1, as `schema.sql` was then. Databases have it, so it never changes. */
const VERSION_1 = join(import.meta.dirname, "schema-1.sql");

/** The SQL files that have led to a version, in order. */
export function filesTo(version: number): string[] {
  return [VERSION_1, ...readSchema().migrations.slice(0, version - 1)];
}

/** The schema of an older version, which makes a database as the code of that time made it. */
export function schemaAt(version: number): Schema {
  const files = filesTo(version);
  const file = join(temporaryFolder(), "schema.sql");
  writeFileSync(file, files.map((each) => readFileSync(each, "utf8")).join("\n"));
  return { version, file, migrations: files.slice(1) };
}

/** A database of this version in memory. */
export function databaseAt(version: number): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const file of filesTo(version)) database.exec(readFileSync(file, "utf8"));
  return database;
}
