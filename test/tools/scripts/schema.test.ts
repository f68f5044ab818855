import { expect, test } from "vitest";
import { missingFrom, schemaAfter } from "../../../tools/scripts/schema.ts";

const LINKS = `
  CREATE TABLE IF NOT EXISTS links (
    id INTEGER PRIMARY KEY,
    tags TEXT NOT NULL DEFAULT '--', -- with a "comment", it's long
    note TEXT
  ) STRICT;`;

test("a table is the same whether it was created or altered", () => {
  const stepwise = [
    "CREATE TABLE old (id INTEGER PRIMARY KEY, tags TEXT NOT NULL DEFAULT '--') STRICT; -- without an end",
    "ALTER TABLE old ADD COLUMN note TEXT;",
    "ALTER TABLE old RENAME TO links;",
  ];
  expect(missingFrom(schemaAfter([LINKS]), schemaAfter(stepwise))).toEqual([]);
  expect(missingFrom(schemaAfter(stepwise), schemaAfter([LINKS]))).toEqual([]);
});

test.each([
  ["a column", LINKS.replace("note", "notes")],
  ["a default", LINKS.replace("'--'", "'-- '")],
  ["an option", LINKS.replace("STRICT", "STRICT, WITHOUT ROWID")],
])("a table that differs in %s is reported as missing", (_, other) => {
  expect(missingFrom(schemaAfter([LINKS]), schemaAfter([other]))).toEqual(["links"]);
});

test("indexes, views and triggers are compared, internal objects of SQLite are not", () => {
  const more = `
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
    CREATE VIRTUAL TABLE words USING fts5 (word);
    CREATE INDEX by_note ON links (note);
    CREATE VIEW noted AS SELECT id FROM links WHERE note IS NOT NULL;
    CREATE TRIGGER touched AFTER UPDATE ON links BEGIN DELETE FROM links WHERE id = 1; DELETE FROM links WHERE id = 2; END;`;
  const names = missingFrom(schemaAfter([LINKS, more]), schemaAfter([LINKS]));
  expect(names).toEqual(["counted", "words", "by_note", "noted", "touched"]);
});
