import { parseJson } from "./cloud-resources.ts";
import type { Target } from "./backup/target.ts";
import { localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { CONFIG_FILE, readWrangler, type Wrangler } from "./wrangler.ts";

/** Runs one statement without parameters in the database of the target. Returns its rows. */
export async function queryDatabase<Row>(target: Target, run: Wrangler, sql: string): Promise<Row[]> {
  const { environment, stateDirectory } = target;
  if (!target.remote) {
    const id = localDatabaseId(CONFIG_FILE, environment);
    const { results } = await withLocalDatabase(stateDirectory, (database) => database.prepare(sql).all<Row>(), id);
    return results;
  }
  const env = environment === undefined ? [] : [`--env=${environment}`];
  const args = ["d1", "execute", "DB", "--remote", "--yes", "--json", `--command=${sql}`, ...env];
  const output = await readWrangler(run, args);
  return parseJson<{ results: Row[] }>(output).flatMap(({ results }) => results);
}
