import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PERMISSIONS } from "../src/auth/permissions.ts";
import { generateKey, hashKey, isKeyShaped, lastFour } from "../src/auth/key.ts";
import { findCredential, type Credential } from "../src/auth/store.ts";
import { insertKey } from "../src/keys/store.ts";
import { newId } from "../src/lib/uuid.ts";
import { insertAccount } from "./account-sql.ts";
import { ROOT } from "./wrangler.ts";

/** Ignored by git. Tests put theirs elsewhere. */
export const DEMO_KEY_FILE = process.env["TERN_DEMO_KEY_FILE"] ?? join(ROOT, ".demo-key");

const KEY_NAME = "Demo key";

const demoAccount = (key: string) => ({ name: "Demo", keyName: KEY_NAME, key });

/**
 * A key that works in this database. It is kept in the file, so that it is the same from start to start
 * and in every database, until it is revoked or expires: then a new one takes its place.
 */
export async function demoKey(database: D1Database, file: string, now: number): Promise<string> {
  const kept = await readKey(file);
  if (kept !== null) {
    const credential = await findCredential(database, await hashKey(kept));
    if (credential === null) await insertAccount(database, demoAccount(kept), now);
    if (credential === null || isActive(credential, now)) return kept;
    return replaceKey(database, credential.accountId, file, now);
  }
  const key = generateKey();
  await writeKey(file, key);
  await insertAccount(database, demoAccount(key), now);
  return key;
}

function isActive({ revokedAt, expiresAt }: Credential, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** A new key of the same account, or of a new one if that account has all the keys it may have. */
async function replaceKey(database: D1Database, accountId: number, file: string, now: number): Promise<string> {
  const key = generateKey();
  await writeKey(file, key);
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
    },
    now,
  );
  if (stored === null) await insertAccount(database, demoAccount(key), now);
  return key;
}

async function readKey(file: string): Promise<string | null> {
  try {
    const key = (await readFile(file, "utf8")).trim();
    return isKeyShaped(key) ? key : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function writeKey(file: string, key: string): Promise<void> {
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  // The mode above is for a new file only.
  await chmod(file, 0o600);
}
