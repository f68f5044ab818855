import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { probe } from "../../src/health/probe.ts";
import { createPlacedAccounts, databases, placedEnv } from "../support/several-databases.ts";

it("checks the tables of each database, and the keys of what each has", async () => {
  await env.DB.prepare("SELECT 1").run();
  const checks = async () => (await probe(placedEnv())).problems.map(({ check, problem }) => `${check}: ${problem}`);
  expect(await checks()).toEqual(["schema: The database has no tables."]);
  await createPlacedAccounts();
  expect(await checks()).toEqual([]);
  await databases()[2]
    .prepare(
      `INSERT INTO links (seq, id, domain, slug, url, status, redirect_status, password_hash, created_at, updated_at)
       VALUES (1, 'link', '', 'spring', 'https://example.com/', 'active', 302, 'other.tag.hash', 1, 1)`,
    )
    .run();
  expect(await checks()).toEqual(["encryptionKeys: ENCRYPTION_KEYS lacks a key that hashed the passwords of links."]);
});
