import { appendFile, chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { generateEncryptionKey } from "../src/lib/encryption.ts";
import { ROOT } from "./wrangler.ts";

/** The secret that encrypts what must not lie open in the database. */
export const ENCRYPTION_KEYS = "ENCRYPTION_KEYS";

/** Where `wrangler dev` finds secrets; ignored by git. */
export const DEV_VARS_FILE = join(ROOT, ".dev.vars");

/** A first key; one that takes its place some day gets another name. */
export function firstEncryptionKey(): string {
  return generateEncryptionKey("k1");
}

/** Writes a key into the file unless it has one. It stays the same from start to start, as what it encrypted does. */
export async function provideEncryptionKey(file: string): Promise<void> {
  const content = await readOrEmpty(file);
  if (new RegExp(`^${ENCRYPTION_KEYS}=`, "m").test(content)) return;
  const newline = content === "" || content.endsWith("\n") ? "" : "\n";
  await appendFile(file, `${newline}${ENCRYPTION_KEYS}="${firstEncryptionKey()}"\n`, { mode: 0o600 });
  // The mode above is for a new file only.
  await chmod(file, 0o600);
}

async function readOrEmpty(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
