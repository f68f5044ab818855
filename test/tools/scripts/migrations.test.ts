import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { toMigrated } from "../../../tools/scripts/local-database.ts";
import { migrate, readSchema, type MigratedDatabase } from "../../../tools/scripts/migrations.ts";
import { LIST_OBJECTS } from "../../../tools/scripts/schema.ts";
import { emptyDatabase } from "./support/database.ts";
import { schemaWith, versionOf } from "./support/migrations.ts";

/** Version 1. */
const SCHEMA = schemaWith();
const ADD_NOTE = "ALTER TABLE links ADD COLUMN note TEXT;";
const FILL_NOTE = "UPDATE links SET note = 'about ' || slug;";
const ADD_CLICK = "UPDATE links SET clicks = clicks + 1;";

let database: D1Database;
let migrated: MigratedDatabase;
beforeEach(async () => {
  database = await emptyDatabase();
  migrated = toMigrated(database, "The database");
});

async function valuesIn(column: string) {
  const { results } = await database.prepare(`SELECT ${column} FROM links ORDER BY seq`).all();
  return results.map((row) => row[column]);
}

/** Everything in the database. */
async function contentOf() {
  const objects = (await database.prepare(LIST_OBJECTS).all<{ name: string; sql: string }>()).results;
  const tables = objects.filter(({ sql }) => sql.startsWith("CREATE TABLE"));
  const rows = await database.batch(tables.map(({ name }) => database.prepare(`SELECT * FROM ${name}`)));
  return { objects, rows: rows.map(({ results }) => results) };
}

describe("an empty database", () => {
  test("gets the newest version from schema.sql alone", async () => {
    const schema = schemaWith(ADD_NOTE);
    const files: string[] = [];
    const run = (file: string) => migrated.run(file).finally(() => files.push(file));
    await migrate({ ...migrated, run }, schema);
    expect(files).toEqual([schema.file]);
    expect(await versionOf(database)).toBe(schema.version);
    expect(await valuesIn("note")).toEqual([]);
  });

  test("is made once by several processes at the same time", async () => {
    const overtaken = { ...migrated, run: (file: string) => migrate(migrated, SCHEMA).then(() => migrated.run(file)) };
    await Promise.all([migrate(overtaken, SCHEMA), migrate(migrated, SCHEMA), migrate(migrated, SCHEMA)]);
    expect(await versionOf(database)).toBe(SCHEMA.version);
  });

  test("stays empty if schema.sql fails", async () => {
    const failure = migrate(migrated, schemaWith("INSERT INTO accounts (id) VALUES (1);"));
    await expect(failure).rejects.toThrow(/^schema.sql failed. The database still has version 0.\n.*NOT NULL/);
    expect((await database.prepare(LIST_OBJECTS).all()).results).toEqual([]);
  });
});

describe("a database with data", () => {
  beforeEach(async () => {
    await migrate(migrated, SCHEMA);
    const data = `
      INSERT INTO accounts (id, uuid, name) VALUES (1, 'uuid', 'Ann');
      INSERT INTO links (seq, account_id, slug, clicks) VALUES (1, 1, 'one', 7), (2, NULL, 'two', 0);`;
    await database.prepare(data).run();
  });

  test("gets a column, which is filled", async () => {
    await migrate(migrated, schemaWith(ADD_NOTE, FILL_NOTE));
    expect(await valuesIn("note")).toEqual(["about one", "about two"]);
    expect(await versionOf(database)).toBe(3);
  });

  test("gets a table rebuilt that other tables refer to", async () => {
    const rebuild = `
      PRAGMA defer_foreign_keys = ON;
      CREATE TABLE old_accounts AS SELECT * FROM accounts;
      DROP TABLE accounts;
      CREATE TABLE accounts (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
      INSERT INTO accounts SELECT id, name FROM old_accounts;
      DROP TABLE old_accounts;`;
    await migrate(migrated, schemaWith(rebuild));
    expect((await database.prepare("SELECT * FROM accounts").all()).results).toEqual([{ id: 1, name: "Ann" }]);
    expect((await database.prepare("PRAGMA foreign_key_check").all()).results).toEqual([]);
    await expect(database.prepare("DELETE FROM accounts").run()).rejects.toThrow("FOREIGN KEY");
  });

  test("is not changed by a second run", async () => {
    const schema = schemaWith(ADD_NOTE, FILL_NOTE);
    await migrate(migrated, schema);
    const content = await contentOf();
    await migrate({ ...migrated, run: () => expect.unreachable() }, schema);
    expect(await contentOf()).toEqual(content);
  });

  test("is left as it was by a migration that fails, and continues from there once the file is corrected", async () => {
    await migrate(migrated, schemaWith(ADD_NOTE));
    const content = await contentOf();
    const failing = `CREATE TABLE more (id INTEGER); ${FILL_NOTE} INSERT INTO api_keys (id) VALUES ('incomplete');`;
    await expect(migrate(migrated, schemaWith(ADD_NOTE, failing))).rejects.toThrow(
      /^0003-added.sql failed. The database still has version 2.\n.*NOT NULL/,
    );
    expect(await contentOf()).toEqual(content);
    await migrate(migrated, schemaWith(ADD_NOTE, FILL_NOTE));
    expect(await valuesIn("note")).toEqual(["about one", "about two"]);
  });

  test("is migrated once by several processes at the same time", async () => {
    const two = schemaWith(ADD_CLICK, ADD_CLICK);
    const overtaken = {
      ...migrated,
      // Another process does everything after this one has read the version and before it runs the file.
      run: (file: string) => migrate(migrated, two).then(() => migrated.run(file)),
    };
    await migrate(overtaken, two);
    expect(await valuesIn("clicks")).toEqual([9, 2]);

    const four = schemaWith(ADD_CLICK, ADD_CLICK, ADD_CLICK, ADD_CLICK);
    await Promise.all([migrate(migrated, four), migrate(migrated, four), migrate(migrated, four)]);
    expect(await valuesIn("clicks")).toEqual([11, 4]);
    expect(await versionOf(database)).toBe(5);
  });

  test("is named if the migrations do not make what schema.sql says", async () => {
    const schema = schemaWith(ADD_NOTE);
    writeFileSync(schema.migrations.at(-1) as string, "INSERT INTO schema_migrations (version) VALUES (2);\n");
    await expect(migrate(migrated, schema)).rejects.toThrow("these are missing or differ: links.");
  });

  test.each([
    ["is newer", "INSERT INTO schema_migrations VALUES (2)", "has version 2, but this code knows none after 1."],
    ["lacks an index", "DROP INDEX links_by_slug", "missing or differ: links_by_slug."],
    ["has a table in another form", "ALTER TABLE accounts ADD COLUMN more TEXT", "missing or differ: accounts."],
    ["has no version", "DELETE FROM schema_migrations", "has no version"],
    ["belongs to another program", "DROP TABLE schema_migrations; CREATE TABLE users (id)", /not made by .* users\b/],
  ])("that %s is refused and not changed", async (_, change, problem) => {
    await database.prepare(change).run();
    const content = await contentOf();
    await expect(migrate(migrated, SCHEMA)).rejects.toThrow(problem);
    expect(await contentOf()).toEqual(content);
  });

  test("may have an index that the operator added", async () => {
    await database.prepare("CREATE INDEX my_own ON links (clicks)").run();
    await migrate(migrated, schemaWith(ADD_NOTE));
    expect(await versionOf(database)).toBe(2);
  });
});

test.each([
  ["does not have the next number", "0009-gap.sql", "is not version"],
  ["does not record its version", "0002-silent.sql", "does not end with INSERT INTO"],
])("a file that %s is reported", (_, name, problem) => {
  const folder = dirname(schemaWith().file);
  writeFileSync(join(folder, "migrations", name), `${ADD_NOTE}\n`);
  expect(() => readSchema(folder)).toThrow(`${name} ${problem}`);
});
