import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { provideEncryptionKey } from "../../scripts/encryption-key.ts";
import { temporaryFolder } from "./support/command.ts";

test("a key is created once, in a file that only its owner can read", async () => {
  const file = join(temporaryFolder(), ".dev.vars");
  await provideEncryptionKey(file);
  const created = readFileSync(file, "utf8");
  expect(created).toMatch(/^ENCRYPTION_KEYS="k1:[\w+/]{43}="\n$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await provideEncryptionKey(file);
  expect(readFileSync(file, "utf8")).toBe(created);
});

test("other lines of the file stay", async () => {
  const file = join(temporaryFolder(), ".dev.vars");
  writeFileSync(file, "OTHER=1");
  await provideEncryptionKey(file);
  expect(readFileSync(file, "utf8")).toMatch(/^OTHER=1\nENCRYPTION_KEYS="k1:/);
});
