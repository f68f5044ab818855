import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { batchWithRetry } from "../src/lib/d1.ts";
import { Failure } from "./command.ts";
import { LIST_OBJECTS, missingFrom, readSchema } from "./schema.ts";
import { ROOT } from "./wrangler.ts";

/** Where `wrangler dev` keeps what it stores, unless `--persist-to` says otherwise. */
export const DEFAULT_STATE_DIRECTORY = ".wrangler/state";

/** wrangler.toml gives the database no id, so locally wrangler takes its binding's name for one. */
const LOCAL_ID = "DB";

/**
 * Opens the database that `wrangler dev` uses with the same `--persist-to`, with the schema in it. In
 * this process, because each call of wrangler's own `d1 execute` takes two seconds.
 */
export async function withLocalDatabase<T>(
  stateDirectory: string,
  use: (database: D1Database) => Promise<T>,
): Promise<T> {
  const directory = resolve(ROOT, stateDirectory);
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      cf: false,
      resourcePersistencePath: join(directory, "v3"),
      d1Databases: { DB: LOCAL_ID },
    }),
  );
  try {
    const database = (await runtime.getD1Database("DB")) as unknown as D1Database;
    await applySchema(database, directory);
    return await use(database);
  } finally {
    await runtime.dispose();
  }
}

async function applySchema(database: D1Database, directory: string): Promise<void> {
  const schema = readSchema();
  const advice = `The database in ${directory} was made with another schema.sql. To start afresh, delete that folder.`;
  try {
    await batchWithRetry(database, [database.prepare(schema)]);
  } catch (error) {
    throw new Failure(`${advice}\n${String(error)}`);
  }
  const { results } = await database.prepare(LIST_OBJECTS).all<{ sql: string }>();
  const missing = missingFrom(
    schema,
    results.map(({ sql }) => sql),
  );
  if (missing.length > 0) console.warn(advice);
}
