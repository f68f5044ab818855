import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { CLICK_LOG_STEPS } from "../../../src/click-log/log/rows.ts";
import { JOB_RUNNER_STEPS } from "../../../src/jobs/store/tables.ts";
import { SCREENER_STEPS } from "../../../src/safety/screening/store/tables.ts";
import { toMigrated } from "../../../tools/scripts/local-database.ts";
import { migrate, readSchema } from "../../../tools/scripts/migrations.ts";
import { normalize } from "../../../tools/scripts/schema.ts";
import { emptyDatabase } from "./support/database.ts";
import { problemsOf } from "./support/expansion.ts";
import { fillStatements, tablesOf } from "./support/filled-version.ts";
import { versionOf } from "./support/migrations.ts";
import { databaseAt, filesTo, schemaAt } from "./support/versions.ts";

// The versions of the project's own schema: the steps between them, from version 1 on.

/**
 * What databases and Durable Objects have run, and never changes: each with the beginning of its SHA-256, without comments. A release adds what
 * is new.
 */
const RELEASED: Record<string, string> = {
  "schema-1.sql": "b48bb5b4c32caf24",
  "ClickLog 1": "b3c938b3feda3761",
  "JobRunner 1": "4a3bd676b7247a77",
  "Screener 1": "9eda007746fe1301",
};

const SCHEMA = readSchema();
const OLDER = Array.from({ length: SCHEMA.version - 1 }, (_, index) => index + 1);
const STEPS = SCHEMA.migrations.map((file, index) => [basename(file), index + 2] as const);

test("what is released stays as it is", () => {
  const files = filesTo(SCHEMA.version).map((file): [string, string] => [basename(file), readFileSync(file, "utf8")]);
  const steps = { ClickLog: CLICK_LOG_STEPS, JobRunner: JOB_RUNNER_STEPS, Screener: SCREENER_STEPS };
  for (const [name, list] of Object.entries(steps))
    for (const [index, step] of list.entries()) files.push([`${name} ${index + 1}`, step]);
  const hashOf = (sql: string) => createHash("sha256").update(normalize(sql)).digest("hex").slice(0, 16);
  const hashes = files.filter(([name]) => name in RELEASED).map(([name, sql]) => [name, hashOf(sql)]);
  expect(Object.fromEntries(hashes)).toEqual(RELEASED);
});

test.each(OLDER)(
  "a database of version %i with rows in every table becomes the newest one and keeps them",
  async (version) => {
    const database = await emptyDatabase();
    const migrated = toMigrated(database, "The database");
    await migrate(migrated, schemaAt(version));
    await database.batch(fillStatements(version).map((sql) => database.prepare(sql)));
    const tables = tablesOf(databaseAt(version));
    const read = async () => {
      const all = await database.batch(tables.map((name) => database.prepare(`SELECT * FROM ${name}`)));
      return Object.fromEntries(tables.map((name, n) => [name, all[n]?.results as Record<string, unknown>[]]));
    };
    const before = await read();
    expect(tables.filter((name) => before[name]?.length === 0)).toEqual([]);
    expect(await versionOf(database)).toBe(version);

    await migrate(migrated, SCHEMA);
    expect(await versionOf(database)).toBe(SCHEMA.version);
    const after = await read();
    for (const name of tables)
      expect(after[name], name).toEqual(before[name]?.map((row) => expect.objectContaining(row)));
    expect((await database.prepare("PRAGMA foreign_key_check").all()).results).toEqual([]);
  },
);

describe.each(STEPS)("%s", (_, version) => {
  test("leaves what the code of the version before uses", () => {
    expect(problemsOf(databaseAt(version - 1), databaseAt(version))).toEqual([]);
  });

  test("changes no more rows if there are more links", () => {
    const changed = [1, 500].map((links) => {
      const database = databaseAt(version - 1);
      const add = database.prepare(
        `INSERT INTO links (seq, id, domain, slug, url, status, redirect_status, created_at, updated_at)
         VALUES (?1, 'id' || ?1, '', 'slug' || ?1, 'https://example.com/', 'active', 302, 0, 0)`,
      );
      for (let link = 1; link <= links; link++) add.run(link);
      return rowsChangedBy(database, readFileSync(filesTo(version).at(-1) as string, "utf8"));
    });
    expect(changed[1]).toBe(changed[0]);
  });
});

function rowsChangedBy(database: DatabaseSync, sql: string): number {
  const count = () => Number(database.prepare("SELECT total_changes() AS rows").get()?.["rows"]);
  const before = count();
  database.exec(sql);
  return count() - before;
}

const LINKS = `
  CREATE TABLE links (id INTEGER PRIMARY KEY, slug TEXT NOT NULL, host TEXT, UNIQUE (slug, host)) STRICT;
  CREATE INDEX links_by_host ON links (host);
  CREATE TRIGGER links_insert AFTER INSERT ON links BEGIN DELETE FROM links WHERE host = ''; END;`;

const databaseWith = (sql: string) => {
  const database = new DatabaseSync(":memory:");
  database.exec(sql);
  return database;
};

describe("older code works with", () => {
  test.each([
    ["a column that may be NULL", "ALTER TABLE links ADD COLUMN note TEXT"],
    [
      "columns with a default",
      `ALTER TABLE links ADD COLUMN price REAL NOT NULL DEFAULT (1 + 2);
       ALTER TABLE links ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0 CHECK (hidden IN (0, 1))`,
    ],
    ["a computed column", "ALTER TABLE links ADD COLUMN short TEXT NOT NULL GENERATED ALWAYS AS (lower(slug)) VIRTUAL"],
    ["a new table and an index", "CREATE TABLE notes (id INTEGER PRIMARY KEY); CREATE INDEX by_slug ON links (slug)"],
    [
      "a trigger that fills a new table",
      "CREATE TABLE n (i); CREATE TRIGGER t AFTER DELETE ON links BEGIN DELETE FROM n; END",
    ],
  ])("%s", (_, change) => {
    expect(problemsOf(databaseWith(LINKS), databaseWith(`${LINKS} ${change}`))).toEqual([]);
  });

  test.each([
    ["a missing table", LINKS.replaceAll("links", "urls"), "links is gone"],
    [
      "a missing column",
      LINKS.replace("host TEXT", "hosts TEXT")
        .replace("(slug, host)", "(slug, hosts)")
        .replace("(host)", "(hosts)")
        .replace("host = ''", "hosts = ''"),
      "links differs",
    ],
    ["another type", LINKS.replace("host TEXT", "host BLOB"), "links differs"],
    [
      "a column that must be given",
      LINKS.replace("host TEXT,", "host TEXT, note TEXT NOT NULL,"),
      "links demands more",
    ],
    ["a unique column", LINKS.replace("host TEXT,", "host TEXT, note TEXT UNIQUE,"), "links demands more"],
    [
      "a column that checks others",
      LINKS.replace("host TEXT,", "host TEXT, note TEXT CHECK (host <> ''),"),
      "links demands more",
    ],
    ["a check of a former column", LINKS.replace("host TEXT", "host TEXT CHECK (host <> '')"), "links d"],
    ["a missing index", LINKS.replace(/CREATE INDEX .*/, ""), "links_by_host is gone"],
    ["another trigger", LINKS.replace("host = ''", "host = 'x'"), "links_insert differs"],
    ["a unique index", `${LINKS} CREATE UNIQUE INDEX one_slug ON links (slug)`, "one_slug forbids"],
    [
      "a trigger that refuses",
      `${LINKS} CREATE TRIGGER no BEFORE DELETE ON links BEGIN SELECT RAISE(ABORT, 'no'); END`,
      "no forbids",
    ],
  ])("everything but %s", (_, sql, problem) => {
    expect(problemsOf(databaseWith(LINKS), databaseWith(sql)).join()).toContain(problem);
  });

  test("and a step that changes every link is noticed", () => {
    const database = databaseWith(`${LINKS} INSERT INTO links (slug) VALUES ('a'), ('b');`);
    expect(rowsChangedBy(database, "ALTER TABLE links ADD COLUMN note TEXT NOT NULL DEFAULT ''")).toBe(0);
    expect(rowsChangedBy(database, "UPDATE links SET note = slug")).toBe(2);
  });
});
