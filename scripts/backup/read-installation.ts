import { Failure } from "../command.ts";
import type { RowsLine } from "./file.ts";
import { databasesIn, type Installation } from "./installation.ts";
import { checkBindings } from "./bindings.ts";
import { readChanges, readTables, type Keys, type Source } from "./read-tables.ts";
import type { Table } from "./tables.ts";

/**
 * Reads the tables of all databases. The first one, which has all accounts, is read first: another one has what belongs to these
 * accounts, and no others. Returns the keys that are in the backup, by database.
 */
export async function* readDatabases(
  installation: Installation,
  tables: readonly Table[],
  startedAt: number,
): AsyncGenerator<RowsLine, Keys[]> {
  await checkBindings(installation);
  const before = await readHomes(installation);
  if (before.moving > 0)
    throw new Failure(
      `${before.moving} of the accounts are being moved to another database, or wait for it. Run the backup again when they have moved: npm run account -- move ACCOUNT says how far one is.`,
    );
  const sources = databasesIn(installation).map((database, number): Source => ({
    database,
    tables,
    keys: new Map(),
    hasAccount: (key) => number === 0 || (accounts()?.has(key) === true && before.homeOf(idOf(key)) === number),
  }));
  const accounts = () => sources[0]?.keys.get("accounts");
  for (const [number, source] of sources.entries()) yield* numbered(number, readTables(source));
  for (const [number, source] of sources.entries()) yield* numbered(number, readChanges(source, startedAt));
  const after = await readHomes(installation);
  if (after.text !== before.text || after.moving > 0)
    throw new Failure(
      "Accounts got another database during the backup, or are being moved. Run it again when they have moved.",
    );
  return sources.map(({ keys }) => keys);
}

async function* numbered(database: number, lines: AsyncGenerator<RowsLine>): AsyncGenerator<RowsLine> {
  for await (const line of lines) yield database === 0 ? line : { ...line, database };
}

const idOf = (key: string) => (JSON.parse(key) as [number])[0];

interface Homes {
  /** The number of the account's database. */
  homeOf(accountId: number): number;
  /** What it is computed from. */
  text: string;
  /** How many accounts are being moved, or wait for it. */
  moving: number;
}

/** Where the accounts are (src/database/databases.ts). */
async function readHomes(installation: Installation): Promise<Homes> {
  const [ranges, moved, moves] = (await installation.database([
    {
      sql: "SELECT first_account_id AS first, database, spread FROM account_ranges ORDER BY first_account_id DESC",
      values: [],
    },
    { sql: "SELECT account_id AS id, database FROM moved_accounts ORDER BY account_id", values: [] },
    { sql: "SELECT account_id AS id FROM account_moves", values: [] },
  ])) as [{ first: number; database: number; spread: number }[], { id: number; database: number }[], unknown[]];
  const overrides = new Map(moved.map(({ id, database }) => [id, database]));
  return {
    homeOf(accountId) {
      const range = ranges.find(({ first }) => first <= accountId);
      const dealt = range === undefined ? 0 : range.database + ((accountId - range.first) % range.spread);
      return overrides.get(accountId) ?? dealt;
    },
    text: JSON.stringify([ranges, moved]),
    moving: moves.length,
  };
}
