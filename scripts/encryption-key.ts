import { join } from "node:path";
import { generateEncryptionKey } from "../src/lib/encryption.ts";
import { readOrEmpty, writePrivateFile } from "./private-file.ts";
import { ROOT } from "./wrangler.ts";

/** The name of the secret that encrypts stored secrets such as those of webhooks. */
export const ENCRYPTION_KEYS = "ENCRYPTION_KEYS";

/** Where `wrangler dev` finds secrets; ignored by git. */
export const DEV_VARS_FILE = join(ROOT, ".dev.vars");

/** Generates the first key of a service. A key that replaces it later gets another name. */
export function firstEncryptionKey(): string {
  return generateEncryptionKey("k1");
}

/** Adds a key to the file unless it has one: what a key has encrypted can be read only with the same key. */
export async function provideEncryptionKey(file: string): Promise<void> {
  const content = await readOrEmpty(file);
  if (new RegExp(`^${ENCRYPTION_KEYS}=`, "m").test(content)) return;
  const newline = content === "" || content.endsWith("\n") ? "" : "\n";
  await writePrivateFile(file, `${content}${newline}${ENCRYPTION_KEYS}="${firstEncryptionKey()}"\n`);
}
