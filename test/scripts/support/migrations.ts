import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readSchema, type Schema } from "../../../scripts/migrations.ts";
import { temporaryFolder } from "./command.ts";

const record = (version: number) => `INSERT INTO schema_migrations (version) VALUES (${version});\n`;

/** The project's schema with these migrations added, each of which gets the line that records its version. */
export function schemaWith(...scripts: string[]): Schema {
  const project = readSchema();
  const folder = temporaryFolder();
  const path = (file: string) => join(folder, "migrations", file);
  mkdirSync(path(""));
  for (const file of project.migrations) copyFileSync(file, path(basename(file)));
  let { version } = project;
  for (const script of scripts) {
    version++;
    writeFileSync(path(`${String(version).padStart(4, "0")}-added.sql`), `${script}\n${record(version)}`);
  }
  const schema = readFileSync(project.file, "utf8").replace(record(project.version), scripts.join("\n"));
  writeFileSync(join(folder, "schema.sql"), `${schema}\n${record(version)}`);
  return readSchema(folder);
}

/** The version that the database has recorded. */
export async function versionOf(database: D1Database): Promise<number | null> {
  return database.prepare("SELECT max(version) AS version FROM schema_migrations").first<number>("version");
}
