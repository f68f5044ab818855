import { join } from "node:path";
import { generateKey, hashKey, isKeyShaped, lastFour } from "../../src/platform/auth/key.ts";
import { PERMISSIONS } from "../../src/platform/auth/permissions.ts";
import { findCredential, type Credential } from "../../src/platform/auth/store/keys.ts";
import { insertKey } from "../../src/identity/keys/store/keys.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { insertAccount } from "./account-sql.ts";
import { readOrEmpty, writePrivateFile } from "./private-file.ts";
import { ROOT } from "./wrangler.ts";

/** Ignored by git. Tests use another file. */
export const DEMO_KEY_FILE = process.env["TERN_DEMO_KEY_FILE"] ?? join(ROOT, ".demo-key");

const KEY_NAME = "Demo key";

const demoAccount = (key: string) => ({ name: "Demo", keyName: KEY_NAME, key });

/**
 * Returns a key that works in this database. It is kept in the file, so it is the same after every start and in every
 * database. A key that is revoked or expired is replaced.
 */
export async function demoKey(database: D1Database, file: string, now: number): Promise<string> {
  const stored = (await readOrEmpty(file)).trim();
  if (isKeyShaped(stored)) {
    const credential = await findCredential(database, await hashKey(stored));
    if (credential === null) await insertAccount(database, demoAccount(stored), now);
    if (credential === null || isActive(credential, now)) return stored;
    return replaceKey(database, credential.accountId, file, now);
  }
  const key = generateKey();
  await writePrivateFile(file, `${key}\n`);
  await insertAccount(database, demoAccount(key), now);
  return key;
}

function isActive({ revokedAt, expiresAt }: Credential, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** Makes a key of the same account, or of a new one if that account has the maximum number of keys. */
async function replaceKey(database: D1Database, accountId: number, file: string, now: number): Promise<string> {
  const key = generateKey();
  await writePrivateFile(file, `${key}\n`);
  const stored = await insertKey(
    database,
    {
      id: newId(now),
      accountId,
      name: KEY_NAME,
      hash: await hashKey(key),
      lastFour: lastFour(key),
      permissions: PERMISSIONS,
      expiresAt: null,
      createdBy: null,
    },
    now,
  );
  if (stored.outcome !== "created") await insertAccount(database, demoAccount(key), now);
  return key;
}
