import { parseJson } from "./cloud-resources.ts";
import type { Target } from "./backup/target.ts";
import { installationOptions } from "./deployment-config.ts";
import { localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { CONFIG_FILE, readWrangler, type Wrangler } from "./wrangler.ts";

/** Runs statements without parameters, in one transaction, in the database of the target. Returns their rows. */
export async function queryDatabase<Row>(target: Target, run: Wrangler, ...statements: string[]): Promise<Row[]> {
  const { environment, stateDirectory } = target;
  if (!target.remote) {
    const all = await withLocalDatabase(
      stateDirectory,
      (database) => database.batch<Row>(statements.map((sql) => database.prepare(sql))),
      localDatabaseId(CONFIG_FILE, environment),
    );
    return all.flatMap(({ results }) => results);
  }
  const sql = statements.join(";\n");
  const options = installationOptions(environment);
  const args = ["d1", "execute", "DB", "--remote", "--yes", "--json", `--command=${sql}`, ...options];
  const output = await readWrangler(run, args);
  return parseJson<{ results: Row[] }>(output).flatMap(({ results }) => results);
}
