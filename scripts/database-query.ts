import { parseJson } from "./cloud-resources.ts";
import { OPENED_DATABASES } from "../src/database/account-ranges.ts";
import type { Target } from "./backup/target.ts";
import { bindingOf } from "./database-bindings.ts";
import { installationOptions } from "./deployment-config.ts";
import { localDatabaseId, withLocalDatabase } from "./local-database.ts";
import { CONFIG_FILE, readWrangler, type Wrangler } from "./wrangler.ts";

/** Runs statements without parameters, in one transaction, in the first database of the target. Returns their rows. */
export function queryDatabase<Row>(target: Target, run: Wrangler, ...statements: string[]): Promise<Row[]> {
  return query(target, run, 0, statements);
}

/** Runs a statement without parameters in each database of the target. Returns all rows. */
export async function queryDatabases<Row>(target: Target, run: Wrangler, statement: string): Promise<Row[]> {
  const [first, ...others] = await query<Row & { opened?: number }>(target, run, 0, [
    `SELECT ${OPENED_DATABASES} AS opened`,
    statement,
  ]);
  const rows: Row[] = others;
  for (let number = 1; number < (first?.opened ?? 1); number++)
    rows.push(...(await query<Row>(target, run, number, [statement])));
  return rows;
}

async function query<Row>(target: Target, run: Wrangler, number: number, statements: string[]): Promise<Row[]> {
  const { environment, stateDirectory } = target;
  if (!target.remote) {
    const id = number === 0 ? localDatabaseId(CONFIG_FILE, environment) : bindingOf(number);
    const all = await withLocalDatabase(
      stateDirectory,
      (database) => database.batch<Row>(statements.map((sql) => database.prepare(sql))),
      id,
    );
    return all.flatMap(({ results }) => results);
  }
  const sql = statements.join(";\n");
  const options = installationOptions(environment);
  const args = ["d1", "execute", bindingOf(number), "--remote", "--yes", "--json", `--command=${sql}`, ...options];
  const output = await readWrangler(run, args);
  return parseJson<{ results: Row[] }>(output).flatMap(({ results }) => results);
}
