import { PERMISSIONS } from "../src/auth/permissions.ts";
import { hashKey, lastFour } from "../src/auth/key.ts";
import { batchWithRetry } from "../src/database/retry.ts";
import { newId } from "../src/lib/uuid.ts";

interface NewAccount {
  name: string;
  keyName: string;
  /** The whole key. Only its hash gets into the SQL. */
  key: string;
}

/**
 * The statements that make an account with its first key, which may do everything. They hold no
 * parameters, and run again they change nothing.
 */
export async function accountSql({ name, keyName, key }: NewAccount, now: number): Promise<[string, string]> {
  const uuid = newId(now);
  const values = [newId(now), keyName, await hashKey(key), lastFour(key), JSON.stringify(PERMISSIONS)];
  return [
    `INSERT INTO accounts (uuid, name, created_at) VALUES (${literal(uuid)}, ${literal(name)}, ${now})
     ON CONFLICT (uuid) DO NOTHING`,
    `INSERT INTO api_keys (id, name, hash, last_four, permissions, created_at, account_id)
     SELECT ${values.map(literal).join(", ")}, ${now}, id FROM accounts WHERE uuid = ${literal(uuid)}
     ON CONFLICT (id) DO NOTHING`,
  ];
}

/** Makes the account in an open database. */
export async function insertAccount(database: D1Database, account: NewAccount, now: number): Promise<void> {
  const statements = await accountSql(account, now);
  await batchWithRetry(
    database,
    statements.map((statement) => database.prepare(statement)),
  );
}

/** Hexadecimal, so that no shell, no splitter of statements and no quoting rule on the way can misread the text. */
function literal(text: string): string {
  return `CAST(x'${Buffer.from(text, "utf8").toString("hex")}' AS TEXT)`;
}
