import { prepareChange, type AccountChange } from "../../src/access/audit/change.ts";
import { generateKey, hashKey, lastFour } from "../../src/platform/auth/key.ts";
import { PERMISSIONS, type Permission } from "../../src/platform/auth/permissions.ts";
import { ALWAYS } from "../../src/platform/database/parameters.ts";
import { insertKey } from "../../src/identity/keys/store/keys.ts";
import { newId } from "../../src/platform/lib/uuid.ts";

/** A change that a key of the account makes, which need not exist. */
export function changeBy(accountId: number, keyId = newId(Date.now()), now = Date.now()): AccountChange {
  const rights = { permissions: PERMISSIONS, expiresAt: null, linkDefaults: null, isUntrusted: false };
  const principal = { type: "key" as const, accountId, keyId, ...rights };
  return { ...prepareChange({ now, country: null, principal }, "webhooks:write"), isAllowed: ALWAYS };
}

interface KeyFields {
  permissions?: readonly Permission[];
  expiresAt?: number | null;
}

/** Creates an account with one key, by default with all permissions. */
export async function createAccount(
  db: D1Database,
  fields: KeyFields = {},
): Promise<{ accountId: number; key: string; keyId: string }> {
  const accountId = await db
    .prepare("INSERT INTO accounts (uuid, name, created_at) VALUES (?1, 'test', 0) RETURNING id")
    .bind(newId(Date.now()))
    .first<number>("id");
  if (accountId === null) throw new Error("no account");
  return { accountId, ...(await addKey(db, accountId, fields)) };
}

/** An account with a number of the test's choice, without keys. */
export async function insertAccount(db: D1Database, id: number): Promise<void> {
  await db
    .prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (?1, ?2, 'test', 0)")
    .bind(id, newId(Date.now()))
    .run();
}

export async function addKey(
  db: D1Database,
  accountId: number,
  { permissions = PERMISSIONS, expiresAt = null }: KeyFields = {},
): Promise<{ key: string; keyId: string }> {
  const key = generateKey();
  const keyId = newId(Date.now());
  const hash = await hashKey(key);
  const stored = {
    id: keyId,
    accountId,
    name: "test",
    hash,
    lastFour: lastFour(key),
    permissions,
    expiresAt,
    createdBy: null,
  };
  const { outcome } = await insertKey(db, stored, 0);
  if (outcome !== "created") throw new Error(`insert key: ${outcome}`);
  return { key, keyId };
}
