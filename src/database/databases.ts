type Core = Pick<Env, "DB">;

/**
 * The databases of an installation, by their numbers: the bindings DB, DB_2, DB_3 and so on. `DB` has the number 0 and is the core: it
 * has persons, sessions, teams and keys, and says where each account is. What belongs to the links of an account is in the account's
 * database: tags, domains, webhooks and their deliveries, shared pages, usage.
 */
export function databasesOf(env: Core): D1Database[] {
  const databases = [env.DB];
  for (;;) {
    const next = bindingOf(env, databases.length);
    if (next === undefined) return databases;
    databases.push(next);
  }
}

/** Whether there is more than one database. */
export function hasSeveralDatabases(env: Core): boolean {
  return bindingOf(env, 1) !== undefined;
}

/** The number of one of the databases. */
export function numberOfDatabase(env: Env, database: D1Database): number {
  return database === env.DB ? 0 : databasesOf(env).indexOf(database);
}

function bindingOf(env: Core, number: number): D1Database | undefined {
  return number === 0
    ? env.DB
    : ((env as Core & Record<string, unknown>)[`DB_${number + 1}`] as D1Database | undefined);
}

/** The database of the account, read at the primary of the core; null: of no account. With one database nothing is read. */
export function databaseOf(env: Env, accountId: number | null): D1Database | Promise<D1Database> {
  return accountId === null || !hasSeveralDatabases(env) ? env.DB : findDatabase(env, accountId);
}

async function findDatabase(env: Env, accountId: number): Promise<D1Database> {
  const found = await env.DB.prepare(`SELECT ${numberOf("?1")} AS number, ${isCopyDue("?1")} AS is_due`)
    .bind(accountId)
    .first<{ number: number; is_due: 0 | 1 }>();
  const database = bindingOf(env, found?.number ?? 0);
  if (database === undefined)
    throw new Error(`the account ${accountId} is in the database ${found?.number}, which has no binding`);
  if (found?.is_due === 1 && database !== env.DB) {
    const { copyAccount } = await import("./account-copies.ts");
    await copyAccount(env.DB, database, accountId);
  }
  return database;
}

/** SQL for the number of the account's database. `accountId` is SQL too. With one database both tables are empty, and no row is read. */
function numberOf(accountId: string): string {
  return `coalesce((SELECT database FROM moved_accounts WHERE account_id = ${accountId}),
    (SELECT database + (${accountId} - first_account_id) % spread FROM account_ranges
     WHERE first_account_id <= ${accountId} ORDER BY first_account_id DESC LIMIT 1), 0)`;
}

/** SQL that holds if the account, which is SQL too, was changed since it was copied. */
function isCopyDue(accountId: string): string {
  return `EXISTS (SELECT 1 FROM account_copies INDEXED BY account_copies_due WHERE account_id = ${accountId} AND copied < version)`;
}
