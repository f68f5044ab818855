import { expect, it } from "vitest";
import { generateEncryptionKey, open, seal } from "../../../src/platform/lib/encryption.ts";

const [first, second] = [generateEncryptionKey("k1"), generateEncryptionKey("k2")];
const TEXT = "whsec_ä🐦";

it("decrypts what it encrypted, and encrypts the same text differently each time", async () => {
  const sealed = await Promise.all([1, 2].map(() => seal(first, TEXT, "id")));
  expect(new Set(sealed).size).toBe(2);
  for (const each of sealed) {
    expect(each).toMatch(/^k1\./);
    expect(await open(first, each, "id")).toBe(TEXT);
  }
});

it("encrypts with the first key and decrypts with any, so that keys can be rotated", async () => {
  const old = await seal(first, TEXT, "id");
  const both = `${second}, ${first}`;
  expect(await open(both, old, "id")).toBe(TEXT);
  expect(await seal(both, TEXT, "id")).toMatch(/^k2\./);
  await expect(open(second, old, "id")).rejects.toThrow('lacks the key "k1"');
});

it("does not decrypt a value with another context, a changed value, or with another key of the same id", async () => {
  const sealed = await seal(first, TEXT, "id");
  await expect(open(first, sealed, "other")).rejects.toThrow();
  await expect(
    open(
      first,
      sealed.replace(/.(?=.{4}$)/, (c) => (c === "A" ? "B" : "A")),
      "id",
    ),
  ).rejects.toThrow();
  await expect(open(generateEncryptionKey("k1"), sealed, "id")).rejects.toThrow();
});

it.each(["", "k1:AAAA", "nonsense"])("refuses %j as keys", async (keys) => {
  await expect(seal(keys, TEXT, "id")).rejects.toThrow("ENCRYPTION_KEYS");
});
