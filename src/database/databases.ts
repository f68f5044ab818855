/**
 * The databases of an installation, by their numbers: the bindings DB, DB_2, DB_3 and so on. `DB` has the number 0 and is the core: it
 * has persons, sessions, teams and keys, and says where each account is. What belongs to the links of an account is in the account's
 * database: tags, domains, webhooks and their deliveries, shared pages, usage.
 */
export function databasesOf(env: Env): D1Database[] {
  const databases = [env.DB];
  for (;;) {
    const next = bindingOf(env, databases.length);
    if (next === undefined) return databases;
    databases.push(next);
  }
}

/** Whether there is more than one database. */
export function hasSeveralDatabases(env: Env): boolean {
  return bindingOf(env, 1) !== undefined;
}

/** The number of one of the databases. */
export function numberOfDatabase(env: Env, database: D1Database): number {
  return database === env.DB ? 0 : databasesOf(env).indexOf(database);
}

function bindingOf(env: Env, number: number): D1Database | undefined {
  return number === 0 ? env.DB : ((env as Env & Record<string, unknown>)[`DB_${number + 1}`] as D1Database | undefined);
}

/** The database of the account, read at the primary of the core; null: of no account. With one database nothing is read. */
export function databaseOf(env: Env, accountId: number | null): D1Database | Promise<D1Database> {
  return accountId === null || !hasSeveralDatabases(env) ? env.DB : findDatabase(env, accountId);
}

async function findDatabase(env: Env, accountId: number): Promise<D1Database> {
  const number = await env.DB.prepare(`SELECT ${numberOf("?1")} AS number`)
    .bind(accountId)
    .first<number>("number");
  const database = bindingOf(env, number ?? 0);
  if (database === undefined)
    throw new Error(`the account ${accountId} is in the database ${number}, which has no binding`);
  return database;
}

/** SQL for the number of the account's database. `accountId` is SQL too. With one database both tables are empty, and no row is read. */
function numberOf(accountId: string): string {
  return `coalesce((SELECT database FROM moved_accounts WHERE account_id = ${accountId}),
    (SELECT database FROM account_ranges WHERE first_account_id <= ${accountId} ORDER BY first_account_id DESC LIMIT 1), 0)`;
}
