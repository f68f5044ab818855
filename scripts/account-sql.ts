import { PERMISSIONS } from "../src/auth/permissions.ts";
import { hashKey, lastFour } from "../src/auth/key.ts";
import { batchWithRetry } from "../src/database/retry.ts";
import { newId } from "../src/lib/uuid.ts";

interface NewAccount {
  name: string;
  keyName: string;
  /** The SQL contains only its hash. */
  key: string;
}

/**
 * Returns the statements that create an account with a first key that has all permissions. They have no parameters and
 * are idempotent.
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

/** Creates the account in an open database. */
export async function insertAccount(database: D1Database, account: NewAccount, now: number): Promise<void> {
  const statements = await accountSql(account, now);
  await batchWithRetry(
    database,
    statements.map((statement) => database.prepare(statement)),
  );
}

/** Hexadecimal, so that no shell, statement splitter or quoting rule can misread the text. */
export function literal(text: string): string {
  return `CAST(x'${Buffer.from(text, "utf8").toString("hex")}' AS TEXT)`;
}
