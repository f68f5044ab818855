// Fills tables by SQL, and makes them again as they were after calls have changed them.

/** The id of the first row of a table that was filled by SQL. */
export const FIRST_ID = "01920b5c-7d6a-7c3e-9b1f-000000000001";
/** SQL for the id of row `i`. */
export const ID = "format('01920b5c-7d6a-7c3e-9b1f-%012x', i)";

/** Adds rows `i` to a table. `values` are SQL. */
export async function addRows(db: D1Database, table: string, rows: number, values: string, source = "n") {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;
  await db.prepare(`${numbers} INSERT INTO ${table} SELECT ${values} FROM ${source}`).run();
}

/** Adds copies `i` of the row of a table that meets a condition. What must be unique is derived from its number. */
export async function addCopies(db: D1Database, table: string, copies: number, condition = "true"): Promise<void> {
  const { names, key } = await columnsOf(db, table);
  const unique = `SELECT max(c.name) AS name FROM pragma_index_list('${table}') i, pragma_index_info(i.name) c
    WHERE i."unique" AND c.seqno = (SELECT max(seqno) FROM pragma_index_info(i.name)) GROUP BY i.name`;
  const { results } = await db.prepare(unique).all<{ name: string }>();
  const differing = new Set(results.map(({ name }) => name));
  const last = key.split(",").at(-1);
  const values = names.map((name) => (name === last ? ID : differing.has(name) ? `i || '.' || ${name}` : name));
  await addRows(db, table, copies, values.join(), `n, (SELECT * FROM ${table} WHERE ${condition} LIMIT 1)`);
}

async function columnsOf(db: D1Database, table: string): Promise<{ names: string[]; key: string }> {
  const { results } = await db.prepare(`PRAGMA table_info(${table})`).all<{ name: string; pk: number }>();
  const key = results.filter(({ pk }) => pk > 0).map(({ name }) => name);
  return { names: results.map(({ name }) => name), key: key.join() };
}

/** Tables of links, whose rows calls do not use up, and tables that are not of the service. */
const CHANGING = /^(links|tags|aliases|deleted_|destination|account_usage|schema_|sqlite_|_)/;

/** Returns the statements that make all other tables as they are now. */
export async function keepTables(db: D1Database): Promise<D1PreparedStatement[]> {
  const { results } = await db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
  const tables = results.map(({ name }) => name).filter((name) => !CHANGING.test(name) && name !== "accounts");
  const [removed, added, changed]: [string[], string[], string[]] = [[], [], []];
  // An account that is deleted needs no owner, so its memberships can be restored in any order.
  for (const table of [...tables, "accounts"]) {
    const { names, key } = await columnsOf(db, table);
    const [kept, present] = ["kept", table].map((of) => names.map((name) => `${of}.${name}`).join());
    const isSame = key.split(",").map((name) => `kept.${name} = ${table}.${name}`);
    await db.prepare(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`).run();
    await db.prepare(`CREATE INDEX kept_${table}_key ON kept_${table} (${key})`).run();
    if (table !== "accounts")
      removed.push(`DELETE FROM ${table} WHERE (${key}) NOT IN (SELECT ${key} FROM kept_${table})`);
    added.push(`INSERT OR IGNORE INTO ${table} SELECT * FROM kept_${table}`);
    changed.push(
      `UPDATE ${table} SET (${names.join()}) = (${kept}) FROM kept_${table} AS kept
       WHERE ${isSame.join(" AND ")} AND (${kept}) IS NOT (${present})`,
    );
  }
  const before = [
    "PRAGMA defer_foreign_keys = ON",
    `UPDATE accounts SET deleted_at = 0,
       personal_user_id = iif(id IN (SELECT id FROM kept_accounts), personal_user_id, NULL)`,
  ];
  return [...before, ...removed, ...added, ...changed].map((sql) => db.prepare(sql));
}
