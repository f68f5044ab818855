import { hashKey, generateKey, lastFour } from "../src/auth/key.ts";
import { insertKey } from "../src/keys/store.ts";
import { newId } from "../src/lib/uuid.ts";

/** A key of the account that may not read links: a call with it ends with its authentication. */
export async function withoutPermission(db: D1Database, accountId: number): Promise<string> {
  const key = generateKey();
  const stored = { id: newId(Date.now()), accountId, name: "bench", hash: await hashKey(key), lastFour: lastFour(key) };
  const inserted = await insertKey(db, { ...stored, permissions: ["domains:read"], expiresAt: null }, 0);
  if (inserted === null) throw new Error("no place for another key");
  return key;
}
