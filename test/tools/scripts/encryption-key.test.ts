import { readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { provideEncryptionKey, secretsFile } from "../../../tools/scripts/encryption-key.ts";
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

test.each(["ENCRYPTION_KEYS=\n", 'ENCRYPTION_KEYS="" # to fill in\n'])(
  "a line without a key is replaced: %j",
  async (line) => {
    const file = join(temporaryFolder(), ".dev.vars");
    writeFileSync(file, `${line}OTHER=1\n`);
    await provideEncryptionKey(file);
    expect(readFileSync(file, "utf8")).toMatch(/^OTHER=1\nENCRYPTION_KEYS="k1:.*"\n$/);
  },
);

test.each(["ENCRYPTION_KEYS=k1:a=\n", "export ENCRYPTION_KEYS = 'k1:a='\n"])("a key stays: %j", async (line) => {
  const file = join(temporaryFolder(), ".dev.vars");
  writeFileSync(file, line);
  await provideEncryptionKey(file);
  expect(readFileSync(file, "utf8")).toBe(line);
});

test("secrets are in the file that wrangler reads", () => {
  const folder = temporaryFolder();
  const found = () => basename(secretsFile(folder, "staging"));
  expect(found()).toBe(".dev.vars");
  for (const name of [".env", ".dev.vars", ".dev.vars.staging"]) {
    writeFileSync(join(folder, name), "");
    expect(found()).toBe(name);
  }
  expect(basename(secretsFile(folder, undefined))).toBe(".dev.vars");
});
