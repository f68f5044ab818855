import { generateKey, hashKey, lastFour } from "../src/auth/key.ts";
import { PERMISSIONS, type Permission } from "../src/auth/permissions.ts";
import { insertKey } from "../src/keys/store.ts";
import { newId } from "../src/lib/uuid.ts";

export interface Account {
  accountId: number;
  key: string;
}

/** An account that another database has, with its number and its key, which may do everything. */
export async function copyAccount(db: D1Database, { accountId, key }: Account): Promise<void> {
  await db
    .prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (?1, ?2, 'bench', 0)")
    .bind(accountId, newId(Date.now()))
    .run();
  await storeKey(db, accountId, key, PERMISSIONS);
}

/** A key of the account that may not read links: a call with it ends with its authentication. */
export async function withoutPermission(db: D1Database, accountId: number): Promise<string> {
  const key = generateKey();
  await storeKey(db, accountId, key, ["domains:read"]);
  return key;
}

async function storeKey(
  db: D1Database,
  accountId: number,
  key: string,
  permissions: readonly Permission[],
): Promise<void> {
  const stored = { id: newId(Date.now()), accountId, name: "bench", hash: await hashKey(key), lastFour: lastFour(key) };
  const inserted = await insertKey(db, { ...stored, permissions, expiresAt: null }, 0);
  if (inserted === null) throw new Error("no place for another key");
}
