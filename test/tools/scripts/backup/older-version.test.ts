import { expect, test } from "vitest";
import { writeBackup } from "../../../../tools/scripts/backup.ts";
import { checkBackup } from "../../../../tools/scripts/backup/file.ts";
import { restoreBackup } from "../../../../tools/scripts/backup/restore-backup.ts";
import { tablesOf } from "../../../../tools/scripts/backup/tables.ts";
import { toMigrated } from "../../../../tools/scripts/local-database.ts";
import { migrate, readSchema, type Schema } from "../../../../tools/scripts/migrations.ts";
import { fillStatements } from "../support/filled-version.ts";
import { schemaAt } from "../support/versions.ts";
import { installationWith, newDatabase, newFile } from "./support.ts";

const SCHEMA = readSchema();
const OLDER = Array.from({ length: SCHEMA.version - 1 }, (_, index) => index + 1);

/** Backs the database up with the code of one version, and restores the file into an empty one of the newest version. */
async function moveToNewest(source: D1Database, schema: Schema) {
  const file = newFile();
  await writeBackup(installationWith(source, { now: () => 0 }), file, schema);
  const checked = await checkBackup(file);
  expect(checked.header.schemaVersion).toBe(schema.version);
  const target = await newDatabase(SCHEMA);
  await restoreBackup(installationWith(target), file, checked, { withClicks: true });
  const tables = tablesOf(SCHEMA);
  const all = await target.batch(tables.map(({ name }) => target.prepare(`SELECT * FROM ${name}`)));
  return Object.fromEntries(tables.map(({ name }, n) => [name, all[n]?.results]));
}

test.each(OLDER)("a backup of version %i becomes what the upgrade of the database would have made", async (version) => {
  const source = await newDatabase(schemaAt(version));
  await source.batch(fillStatements(version).map((sql) => source.prepare(sql)));
  const restored = await moveToNewest(source, schemaAt(version));
  await migrate(toMigrated(source, "The database"), SCHEMA);
  expect(restored).toEqual(await moveToNewest(source, SCHEMA));
  expect(Object.keys(restored).filter((name) => restored[name]?.length === 0)).toEqual([]);
});

test("a backup of a newer version is refused before anything is changed", async () => {
  const source = await newDatabase(SCHEMA);
  const file = newFile();
  await writeBackup(installationWith(source), file, SCHEMA);
  const { header, clickLogs } = await checkBackup(file);
  const newer = { header: { ...header, schemaVersion: SCHEMA.version + 1 }, clickLogs };
  const refuse = { ...installationWith(source), database: () => expect.unreachable() };
  await expect(restoreBackup(refuse, file, newer, { withClicks: true })).rejects.toThrow(
    `has version ${SCHEMA.version + 1} of the schema, and this code knows none after ${SCHEMA.version}.`,
  );
});
