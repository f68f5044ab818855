import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { listMigrations, migrate, type MigratedDatabase } from "../../scripts/migrations.ts";
import { LIST_OBJECTS, missingFrom, schemaAfter, type SchemaObject } from "../../scripts/schema.ts";
import { ROOT } from "../e2e/support/build.ts";
import { temporaryFolder } from "./support/command.ts";
import { versionOf, withFurther, withVersionOne } from "./support/migrations.ts";

const SCHEMA = readFileSync(join(ROOT, "schema.sql"), "utf8");
const ADD_NOTE = "ALTER TABLE links ADD COLUMN note TEXT;";
const FILL_NOTE = "UPDATE links SET note = 'about ' || slug;";

async function objectsIn(database: D1Database) {
  return (await database.prepare(LIST_OBJECTS).all()).results as unknown as SchemaObject[];
}

async function tablesIn(database: D1Database) {
  const { results } = await database.prepare("PRAGMA table_list").all<{ name: string; type: string }>();
  return results.filter(({ name, type }) => type === "table" && !/^(sqlite|_cf)_/.test(name)).map(({ name }) => name);
}

async function rowCounts(database: D1Database, tables: string[]) {
  const counts: Record<string, number | null> = {};
  for (const table of tables) counts[table] = await database.prepare(`SELECT count(*) AS n FROM ${table}`).first("n");
  return counts;
}

async function notesIn(database: D1Database) {
  const { results } = await database.prepare("SELECT note FROM links ORDER BY seq").all();
  return results.map(({ note }) => note);
}

/** Everything in the database, to see that it is as it was. */
async function contentOf(database: D1Database) {
  const rows = [];
  for (const table of await tablesIn(database))
    rows.push((await database.prepare(`SELECT * FROM ${table}`).all()).results);
  return { objects: await objectsIn(database), rows };
}

describe("the project's migrations", () => {
  // A line for each file, as `sha256sum migrations/*` prints it, from the release on which brings the file.
  const RELEASED = {
    "0001-first-version.sql": "9959326d4d01aaecdd11feba4d7b474a1eaa3f9a0413833d649606a3f1acfd5f",
  };

  test("make what schema.sql says", () => {
    const migrated = schemaAfter(listMigrations().map((file) => readFileSync(file, "utf8")));
    const written = schemaAfter([SCHEMA]);
    const differences = new Set([...missingFrom(written, migrated), ...missingFrom(migrated, written)]);
    const advice =
      "schema.sql and migrations/ make different databases. Write the next migration: migrations/README.md";
    expect([...differences], advice).toEqual([]);
  });

  test("are never changed, for installations have run them", () => {
    const hashes = listMigrations().map((file) => [
      basename(file),
      createHash("sha256").update(readFileSync(file)).digest("hex"),
    ]);
    const advice = "Undo what was done to a migration that is listed here, and write a further one. List a new one.";
    expect(Object.fromEntries(hashes), advice).toEqual(RELEASED);
  });

  test("lead an installation of the first version here, with all that is in it", () =>
    withVersionOne(temporaryFolder(), async (database, target) => {
      const tables = (await tablesIn(database)).filter((table) => table !== "schema_migrations");
      const before = await rowCounts(database, tables);
      expect(Object.values(before)).not.toContain(0);

      await migrate(target, listMigrations());
      expect(await versionOf(database)).toBe(listMigrations().length);
      expect(missingFrom(await objectsIn(database), schemaAfter([SCHEMA]))).toEqual([]);
      expect(missingFrom(schemaAfter([SCHEMA]), await objectsIn(database))).toEqual([]);
      for (const table of await tablesIn(database)) {
        if (table in before) expect(await rowCounts(database, [table])).toEqual({ [table]: before[table] });
      }
      expect((await database.prepare("PRAGMA foreign_key_check").all()).results).toEqual([]);
      expect((await database.prepare("PRAGMA quick_check").all()).results).toEqual([{ quick_check: "ok" }]);
      await database.prepare("INSERT INTO links_fts (links_fts, rank) VALUES ('integrity-check', 1)").run();
    }));
});

describe("a database with data", () => {
  const withData = (use: (database: D1Database, target: MigratedDatabase) => Promise<void>) =>
    withVersionOne(temporaryFolder(), async (database, target) => {
      await migrate(target, listMigrations());
      await use(database, target);
    });
  const next = listMigrations().length + 1;

  test("gets a column, which is filled", () =>
    withData(async (database, target) => {
      await migrate(target, withFurther(ADD_NOTE, FILL_NOTE));
      expect(await notesIn(database)).toEqual(["about Poster", "about nobodys"]);
      expect(await versionOf(database)).toBe(next + 1);
    }));

  test("gets a table rebuilt that others refer to", () =>
    withData(async (database, target) => {
      const rebuild = `
        PRAGMA defer_foreign_keys = ON;
        CREATE TABLE old_accounts AS SELECT * FROM accounts;
        DROP TABLE accounts;
        CREATE TABLE accounts (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
        INSERT INTO accounts SELECT id, name FROM old_accounts;
        DROP TABLE old_accounts;`;
      await migrate(target, withFurther(rebuild));
      expect((await database.prepare("SELECT * FROM accounts").all()).results).toEqual([{ id: 1, name: "Ann" }]);
      expect((await database.prepare("PRAGMA foreign_key_check").all()).results).toEqual([]);
      await expect(database.prepare("DELETE FROM accounts").run()).rejects.toThrow("FOREIGN KEY");
    }));

  test("is not changed by a second run", () =>
    withData(async (database, target) => {
      await migrate(target, withFurther(ADD_NOTE, FILL_NOTE));
      const content = await contentOf(database);
      await migrate({ ...target, run: () => expect.unreachable() }, withFurther(ADD_NOTE, FILL_NOTE));
      expect(await contentOf(database)).toEqual(content);
    }));

  test("is as it was before the migration that fails half-way, and goes on from there once that is mended", () =>
    withData(async (database, target) => {
      await migrate(target, withFurther(ADD_NOTE));
      const content = await contentOf(database);
      const failing = `CREATE TABLE more (id INTEGER); ${FILL_NOTE} INSERT INTO api_keys (id) VALUES ('incomplete');`;
      const failure = migrate(target, withFurther(ADD_NOTE, failing));
      await expect(failure).rejects.toThrow(
        new RegExp(`^000${next + 1}-further.sql failed. The database is of version ${next}, as before.\n.*NOT NULL`),
      );
      expect(await contentOf(database)).toEqual(content);
      await migrate(target, withFurther(ADD_NOTE, FILL_NOTE));
      expect(await notesIn(database)).toEqual(["about Poster", "about nobodys"]);
    }));

  test("is migrated once by several at once", () =>
    withData(async (database, target) => {
      const addClick = "UPDATE links SET clicks = clicks + 1;";
      const clicksIn = () => database.prepare("SELECT clicks FROM links WHERE slug = 'Poster'").first("clicks");
      expect(await clicksIn()).toBe(7);
      const overtaken = {
        ...target,
        // Another does it all after this one has looked at the version and before it runs the file.
        async run(file: string) {
          await migrate(target, withFurther(addClick, addClick));
          await target.run(file);
        },
      };
      await migrate(overtaken, withFurther(addClick, addClick));
      expect(await clicksIn()).toBe(9);

      const migrations = withFurther(addClick, addClick, addClick, addClick);
      await Promise.all([migrate(target, migrations), migrate(target, migrations), migrate(target, migrations)]);
      expect(await clicksIn()).toBe(11);
      expect(await versionOf(database)).toBe(next + 3);
    }));

  test.each([
    [
      "is newer",
      `INSERT INTO schema_migrations VALUES (${next})`,
      `of version ${next}, and this code knows none after`,
    ],
    ["lacks an index", "DROP INDEX links_by_slug", "in another form: links_by_slug."],
    ["has a table in another form", "ALTER TABLE accounts ADD COLUMN more TEXT", "in another form: accounts."],
    [
      "has no version and a table in another form",
      "DROP TABLE schema_migrations; ALTER TABLE accounts ADD COLUMN more TEXT",
      "not as version 1 has them: accounts.",
    ],
    [
      "has an empty list of versions and a table in another form",
      "DELETE FROM schema_migrations; DROP TABLE click_deliveries; ALTER TABLE accounts ADD COLUMN more TEXT",
      "not as version 1 has them: accounts.",
    ],
    [
      "is another program's",
      "DROP TABLE schema_migrations; CREATE TABLE users (id INTEGER)",
      "not as version 1 has them: users.",
    ],
  ])("that %s is refused and not changed", (_, change, problem) =>
    withData(async (database, target) => {
      await database.prepare(change).run();
      const content = await contentOf(database);
      await expect(migrate(target, listMigrations())).rejects.toThrow(problem);
      expect(await contentOf(database)).toEqual(content);
    }),
  );

  test("may have an index of the operator's own", () =>
    withData(async (database, target) => {
      await database.prepare("CREATE INDEX my_own ON links (title)").run();
      await migrate(target, withFurther(ADD_NOTE));
      expect(await versionOf(database)).toBe(next);
    }));

  test("from before versions were counted gets its version", () =>
    withVersionOne(temporaryFolder(), async (database, target) => {
      await database.prepare("DROP TABLE schema_migrations").run();
      await migrate(target, listMigrations());
      expect(await versionOf(database)).toBe(listMigrations().length);
      expect(await rowCounts(database, ["links"])).toEqual({ links: 2 });
    }));
});

test.each([
  ["has not the next number", "0009-gap.sql", "is not version"],
  ["does not record its version", `000${listMigrations().length + 1}-silent.sql`, "does not end with INSERT INTO"],
])("a file that %s is a mistake that is named", (_, name, problem) => {
  const folder = temporaryFolder();
  for (const file of listMigrations()) writeFileSync(join(folder, basename(file)), readFileSync(file));
  writeFileSync(join(folder, name), `${ADD_NOTE}\n`);
  expect(() => listMigrations(folder)).toThrow(`${name} ${problem}`);
});
