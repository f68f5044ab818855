import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { toMigrate, withLocalDatabase } from "../../../scripts/local-database.ts";
import { listMigrations, type MigratedDatabase } from "../../../scripts/migrations.ts";
import { temporaryFolder } from "./command.ts";

const DATA = join(import.meta.dirname, "version-1-data.sql");

/** An installation of version 1 in the folder, with something in each of its tables, which {@link use} may look at. */
export async function withVersionOne(
  stateFolder: string,
  use: (database: D1Database, target: MigratedDatabase) => Promise<void> = async () => {},
): Promise<void> {
  const data = readFileSync(DATA, "utf8");
  const fillAndUse = async (database: D1Database) => {
    await database.prepare(data).run();
    await use(database, toMigrate(database, "The database"));
  };
  await withLocalDatabase(stateFolder, fillAndUse, listMigrations().slice(0, 1));
}

/** The project's migrations with these behind them; each gets the line that records its version. */
export function withFurther(...scripts: string[]): string[] {
  const folder = temporaryFolder();
  const existing = listMigrations();
  for (const file of existing) writeFileSync(join(folder, basename(file)), readFileSync(file));
  for (const [index, sql] of scripts.entries()) {
    const version = existing.length + index + 1;
    const record = `INSERT INTO schema_migrations (version) VALUES (${version});\n`;
    writeFileSync(join(folder, `${String(version).padStart(4, "0")}-further.sql`), `${sql}\n${record}`);
  }
  return listMigrations(folder);
}

/** The database's newest version. */
export async function versionOf(database: D1Database): Promise<number | null> {
  return database.prepare("SELECT max(version) AS version FROM schema_migrations").first<number>("version");
}
