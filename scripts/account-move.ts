import { findAccount } from "./account-quota.ts";
import { literal } from "./account-sql.ts";
import type { Target } from "./backup/target.ts";
import { Failure } from "./command.ts";
import { queryDatabase } from "./database-query.ts";
import type { Wrangler } from "./wrangler.ts";

interface Place {
  /** Where the account is, counted from 1. */
  database: number;
  /** How many databases have had new accounts. */
  count: number;
  /** What is being done; null: the account is not being moved. */
  state: keyof typeof STATES | null;
  /** Counted from 1. */
  target: number | null;
}

const STATES = {
  copying: "its rows are being copied",
  entering: "it has moved, and the directory is being changed",
  keeping: "it has moved, and its former rows are being deleted",
} as const;

/** Lets the running service move the account to the database with this number, counted from 1, or prints where it is. */
export async function moveAccount(
  target: Target,
  run: Wrangler,
  account: string,
  database: number | undefined,
): Promise<void> {
  const { uuid, name } = await findAccount(target, run, account);
  const shown = `"${name}" (${uuid})`;
  const place = await readPlace(target, run, uuid);
  if (place.state === "copying" && database === place.database) {
    await queryDatabase(
      target,
      run,
      `UPDATE account_moves SET target = ${database - 1}
       WHERE state = 'copying' AND account_id = (SELECT id FROM accounts WHERE uuid = ${literal(uuid)})`,
    );
    console.log(
      `The running service ends the move of the account ${shown} within a minute. It stays in database ${database}.`,
    );
  } else if (place.state !== null)
    console.log(`The account ${shown} is on its way to database ${place.target}: ${STATES[place.state]}.`);
  else if (database === undefined || database === place.database)
    console.log(`The account ${shown} is in database ${place.database}.`);
  else {
    if (database > place.count)
      throw new Failure(`There is no database ${database}: the installation uses ${place.count}.`);
    await queryDatabase(
      target,
      run,
      `INSERT INTO account_moves (account_id, target, state, changed_at)
       SELECT id, ${database - 1}, 'copying', ${Date.now()} FROM accounts WHERE uuid = ${literal(uuid)}
       ON CONFLICT (account_id) DO NOTHING`,
    );
    console.log(
      `The running service begins to move the account ${shown} from database ${place.database} to ${database} within a minute.\n` +
        `See how far it is with: npm run account -- move ${uuid}`,
    );
  }
}

async function readPlace(target: Target, run: Wrangler, uuid: string): Promise<Place> {
  const [place] = await queryDatabase<Place>(
    target,
    run,
    `SELECT m.state, m.target + 1 AS target, (SELECT coalesce(max(database + spread), 1) FROM account_ranges) AS count,
       1 + coalesce((SELECT database FROM moved_accounts WHERE account_id = a.id),
         (SELECT database + (a.id - first_account_id) % spread FROM account_ranges
          WHERE first_account_id <= a.id ORDER BY first_account_id DESC LIMIT 1), 0) AS database
     FROM accounts a LEFT JOIN account_moves m ON m.account_id = a.id WHERE a.uuid = ${literal(uuid)}`,
  );
  if (place === undefined) throw new Failure("The account was deleted.");
  return place;
}
