import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { purgeNextAccount } from "../../src/account-purge/purge.ts";
import { DAY_MS } from "../../src/duration.ts";
import { jobContext } from "../support/api.ts";
import { consume } from "../support/clicks.ts";
import {
  accountId,
  ALL_SHARDS,
  clicksAround,
  clicksAt,
  logAt,
  NOW,
  rowsAt,
  shardedMessage,
  startAccount,
  storeShards,
} from "./shards-support.ts";

beforeEach(startAccount);
beforeEach(storeShards);
afterEach(() => vi.useRealTimers());

it("the purge of an account empties all of its shards, and a late batch fills none of them again", async () => {
  const message = shardedMessage(clicksAround());
  await consume([message]);
  for (const shard of ALL_SHARDS) expect(await clicksAt(shard), `shard ${shard}`).toBeGreaterThan(0);
  await env.DB.prepare("UPDATE accounts SET deleted_at = ?2 WHERE id = ?1").bind(accountId, NOW).run();
  const later = jobContext(NOW + 30 * DAY_MS);
  for (let batch = 0; batch < 10 && (await purgeNextAccount(later)) === 1; batch++);
  expect(await env.DB.prepare("SELECT id FROM accounts WHERE id = ?1").bind(accountId).first()).toBeNull();
  // The mark of the purge outlives a restart.
  for (const shard of ALL_SHARDS) await evictDurableObject(logAt(shard));
  await consume([message]);
  for (const shard of ALL_SHARDS) expect(await rowsAt(shard)).toEqual([]);
});
