import { generateKey, hashKey, lastFour } from "../../src/platform/auth/key.ts";
import { PERMISSIONS, type Permission } from "../../src/platform/auth/permissions.ts";
import { insertKey } from "../../src/identity/keys/store/keys.ts";
import { newId } from "../../src/platform/lib/uuid.ts";

export interface Account {
  accountId: number;
  key: string;
}

/** Inserts the account of a recorded request, with its id and its key, which has all permissions. */
export async function copyAccount(db: D1Database, { accountId, key }: Account): Promise<void> {
  const insert = db.prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (?1, ?2, 'bench', 0)");
  await insert.bind(accountId, newId(Date.now())).run();
  await storeKey(db, accountId, key, PERMISSIONS);
}

/** Adds a key that may not read links: a request to list them ends with the check of permissions. */
export async function addKeyWithoutPermission(db: D1Database, accountId: number): Promise<string> {
  const key = generateKey();
  await storeKey(db, accountId, key, ["domains:read"]);
  return key;
}

async function storeKey(db: D1Database, accountId: number, key: string, permissions: readonly Permission[]) {
  const stored = { id: newId(Date.now()), accountId, name: "bench", hash: await hashKey(key), lastFour: lastFour(key) };
  const inserted = await insertKey(db, { ...stored, permissions, expiresAt: null, createdBy: null }, 0);
  if (inserted.outcome !== "created") throw new Error(`insert key: ${inserted.outcome}`);
}
