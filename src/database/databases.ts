/**
 * The database with the links of the account and with all that belongs to them: tags, domains, webhooks and their deliveries, shared
 * pages, usage. Persons, sessions, teams and keys are in `env.DB`, wherever the account is. An installation has one database,
 * which is both. `accountId` is null for anonymous links.
 */
export function databaseOf(env: Pick<Env, "DB">, _accountId: number | null): D1Database {
  return env.DB;
}
