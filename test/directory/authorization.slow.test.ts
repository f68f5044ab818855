import { beforeAll, beforeEach, expect, it } from "vitest";
import { authorizeChange, prepareChange } from "../../src/audit/change.ts";
import type { RequestContext } from "../../src/auth/principal.ts";
import { Batch, conditionFrom } from "../../src/database/batch.ts";
import { newId } from "../../src/lib/uuid.ts";
import { insertSharedPage } from "../../src/shared-pages/store/pages.ts";
import { newDatabase } from "../scripts/support/database.ts";

const NOW = Date.UTC(2026, 10, 25);
const ACCOUNT = 1;
const KEY = newId(NOW);

let core: D1Database;
let shard: D1Database;

beforeAll(async () => {
  [core, shard] = await Promise.all([newDatabase(), newDatabase()]);
});

beforeEach(async () => {
  const account = "INSERT INTO accounts (id, uuid, name, created_at) VALUES (1, 'a', 'Acme', 0)";
  const tables = ["shared_pages", "tags", "audit_entries", "api_keys", "account_usage", "accounts"];
  for (const db of [core, shard])
    await db.batch([...tables.map((table) => db.prepare(`DELETE FROM ${table}`)), db.prepare(account)]);
  await insertKey(core);
  await shard.prepare("INSERT INTO tags (account_id, key, name, links) VALUES (1, 'summer', 'summer', 1)").run();
});

async function insertKey(db: D1Database): Promise<void> {
  await db
    .prepare(
      `INSERT INTO api_keys (id, account_id, name, hash, last_four, permissions, created_at)
       VALUES (?1, 1, 'key', 'hash', 'four', '["links:write"]', 0)`,
    )
    .bind(KEY)
    .run();
}

/** A request with the key for the account, whose database is the shard. */
function request(): Pick<RequestContext, "env" | "db" | "now" | "principal" | "country"> {
  const principal = {
    type: "key" as const,
    accountId: ACCOUNT,
    keyId: KEY,
    permissions: ["links:write" as const],
    expiresAt: null,
    linkDefaults: null,
  };
  return { env: { DB: core } as Env, db: shard, now: NOW, principal, country: null };
}

async function share(): Promise<string> {
  const page = {
    id: newId(NOW),
    subject: { tag: "summer" },
    title: null,
    tokenHash: crypto.randomUUID(),
    sealedToken: "sealed",
    passwordHash: null,
    showDestination: false,
  };
  return (await insertSharedPage(shard, await authorizeChange(request(), "links:write"), page)).outcome;
}

it("lets a valid key change what is in the database of its account, with the entry of the audit log", async () => {
  expect(await share()).toBe("created");
  expect(await shard.prepare("SELECT action FROM audit_entries").first("action")).toBe("shared_page.create");
});

it("refuses a key that was revoked after it was authenticated, although only the core knows it", async () => {
  await core.prepare("UPDATE api_keys SET revoked_at = ?1").bind(NOW).run();
  expect(await share()).toBe("demoted");
  expect(await shard.prepare("SELECT 1 FROM shared_pages").first()).toBeNull();
  expect(await shard.prepare("SELECT 1 FROM audit_entries").first()).toBeNull();
});

it("does not ask the account's database, which may have an old copy of the key", async () => {
  await insertKey(shard);
  await core.prepare("DELETE FROM api_keys").run();
  expect(await share()).toBe("demoted");
});

it("leaves the condition in the transaction where both are one database", async () => {
  const condition = prepareChange(request(), "links:write").isAllowed;
  expect(await conditionFrom(core, condition, core)).toBe(condition);
  const late = await conditionFrom(core, condition, shard);
  await core.prepare("DELETE FROM api_keys").run();
  const batch = new Batch(shard);
  const check = batch.sql`SELECT 1 WHERE ${late}`;
  await batch.commit();
  // What was read before the batch counts.
  expect(check.first).toEqual({ 1: 1 });
});
