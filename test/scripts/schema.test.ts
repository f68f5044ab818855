import { expect, test } from "vitest";
import { withLocalDatabase } from "../../scripts/local-database.ts";
import { LIST_OBJECTS, missingFrom, readSchema } from "../../scripts/schema.ts";
import { temporaryFolder } from "./support/command.ts";

async function objectsOf(database: D1Database) {
  const { results } = await database.prepare(LIST_OBJECTS).all<{ sql: string }>();
  return results.map(({ sql }) => sql);
}

test("an empty database lacks everything, one with the schema nothing", () =>
  withLocalDatabase(temporaryFolder(), async (database) => {
    const statements = readSchema().match(/^CREATE /gm) ?? [];
    expect(missingFrom(readSchema(), [])).toHaveLength(statements.length);
    expect(missingFrom(readSchema(), await objectsOf(database))).toEqual([]);
  }));

test("what is gone or has another form is missing", () =>
  withLocalDatabase(temporaryFolder(), async (database) => {
    await database.prepare("DROP INDEX links_by_slug").run();
    await database.prepare("ALTER TABLE accounts ADD COLUMN more TEXT").run();
    expect(missingFrom(readSchema(), await objectsOf(database)).map((sql) => sql.slice(0, 40))).toEqual([
      expect.stringMatching(/^CREATE TABLE accounts /),
      expect.stringMatching(/^CREATE UNIQUE INDEX links_by_slug /),
    ]);
  }));
