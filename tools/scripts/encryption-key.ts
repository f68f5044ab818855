import { existsSync } from "node:fs";
import { join } from "node:path";
import { generateEncryptionKey } from "../../src/platform/lib/encryption.ts";
import { readOrEmpty, writePrivateFile } from "./private-file.ts";

/** The name of the secret that encrypts stored secrets such as those of webhooks. */
export const ENCRYPTION_KEYS = "ENCRYPTION_KEYS";

/** Returns the file in which `wrangler dev` finds secrets, or would find them if it existed. Git ignores all of them. */
export function secretsFile(directory: string, environment: string | undefined): string {
  // wrangler reads the first of them that exists, and no other.
  const names = [".dev.vars", ".env"];
  if (environment !== undefined) names.unshift(`.dev.vars.${environment}`);
  const files = names.map((name) => join(directory, name));
  return files.find((file) => existsSync(file)) ?? join(directory, ".dev.vars");
}

/** Generates the first key of a service. A key that replaces it later gets another name. */
export function firstEncryptionKey(): string {
  return generateEncryptionKey("k1");
}

const KEY_LINE = new RegExp(
  `^[ \\t]*(?:export[ \\t]+)?${ENCRYPTION_KEYS}[ \\t]*=[ \\t]*["']?([^"'\\s#]*)["']?.*\\n?`,
  "m",
);

/** Adds a key to the file unless it has one: what a key has encrypted can be read only with the same key. */
export async function provideEncryptionKey(file: string): Promise<void> {
  const content = await readOrEmpty(file);
  const [, value] = KEY_LINE.exec(content) ?? [];
  if (value !== undefined && value !== "") return;
  // The line may be there without a value.
  const others = content.replace(KEY_LINE, "").replace(/([^\n])$/, "$1\n");
  await writePrivateFile(file, `${others}${ENCRYPTION_KEYS}="${firstEncryptionKey()}"\n`);
}
