import { globSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localDatabaseId, withLocalDatabase } from "../../../tools/scripts/local-database.ts";
import { temporaryFolder } from "./support/command.ts";

test("a database of a newer version is refused, with the folder and advice", async () => {
  const folder = temporaryFolder();
  await withLocalDatabase(folder, (database) => database.prepare("INSERT INTO schema_migrations VALUES (99)").run());
  const failure = await withLocalDatabase(folder, () => expect.unreachable()).catch(String);
  expect(failure).toContain(`The database in ${folder} has version 99`);
  expect(failure).toContain("delete that folder");
});

test("a folder that is damaged, or is none, is reported in one sentence with advice", async () => {
  const folder = temporaryFolder();
  await withLocalDatabase(folder, async () => {});
  for (const file of globSync("v3/d1/*/*.sqlite*", { cwd: folder })) {
    // Without its log, from which SQLite would restore it.
    if (file.endsWith(".sqlite")) writeFileSync(join(folder, file), "x".repeat(5_000));
    else rmSync(join(folder, file));
  }
  const [file] = globSync("v3/d1/*/*.sqlite", { cwd: folder });
  for (const [directory, reason, advice] of [
    [folder, "file is not a database", "To start with an empty database, delete that folder"],
    [join(folder, file ?? ""), "ENOTDIR", "Mend that and try again, or use another folder: --persist-to"],
  ] as const) {
    const failure = (await withLocalDatabase(directory, () => expect.unreachable()).catch((e: unknown) => e)) as Error;
    expect(failure.message).toMatch(new RegExp(`^The folder ${directory} cannot be used: ${reason}.*\\.\n${advice}.*`));
    expect(failure.message.split("\n")).toHaveLength(2);
  }
});

test("the database has the id of the configuration, or the name of its binding", () => {
  const file = join(temporaryFolder(), "wrangler.toml");
  const database = (table: string, id: string) => `[[${table}]]\nbinding = "DB"\n${id}\n`;
  writeFileSync(
    file,
    database("d1_databases", 'database_id = "a"') +
      database("env.one.d1_databases", "") +
      database("env.two.d1_databases", 'database_id = "b"\npreview_database_id = "c"'),
  );
  expect([undefined, "one", "two"].map((environment) => localDatabaseId(file, environment))).toEqual(["a", "DB", "c"]);
});

test("a configuration that is missing or damaged is named", () => {
  const file = join(temporaryFolder(), "wrangler.toml");
  expect(() => localDatabaseId(file, undefined)).toThrow(`${file} cannot be read: ENOENT`);
  writeFileSync(file, "[[d1_databases]");
  expect(() => localDatabaseId(file, undefined)).toThrow(`${file} cannot be read: `);
});
