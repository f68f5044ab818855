import { DAY_MS } from "../../duration.ts";
import { clickShardsOf } from "../../database/click-shards.ts";
import { log } from "../../lib/log.ts";
import { parseShards, randomOf, type ClickShards } from "../click-log-name.ts";
import type { BusyLog } from "./load.ts";
import { MAX_CLICK_SHARDS, MAX_HOT_LINKS, MAX_SHARD_STEPS, SHARDS_ANNOUNCED_MS } from "../limits.ts";

/** `click_shards` of the account, from the primary; null: it has one ClickLog. Reads no row of such an account. */
export async function readShards(db: D1Database, accountId: number): Promise<string | null> {
  return db
    .prepare(`SELECT ${clickShardsOf("?1")} AS click_shards`)
    .bind(accountId)
    .first<string>("click_shards");
}

/** Gives the account more shards for the load of one of its ClickLogs, if it can have more. Returns its `click_shards` then. */
export async function addShards(db: D1Database, accountId: number, busy: BusyLog, now: number): Promise<string | null> {
  const before = await readShards(db, accountId);
  const after = nextShards(parseShards(before), busy, now);
  if (after === null) return before;
  const json = JSON.stringify(after);
  // If another ClickLog was faster, its change is the next one.
  const changed = await db
    .prepare("UPDATE accounts SET click_shards = ?2 WHERE id = ?1 AND click_shards IS ?3 RETURNING click_shards")
    .bind(accountId, json, before)
    .first<string>("click_shards");
  if (changed === null) return readShards(db, accountId);
  const [fromDay, shards, hotLinks] = after.at(-1) ?? [];
  log("info", "click_shards_added", { accountId, fromDay, shards, hotLinks: hotLinks?.length });
  return changed;
}

/** The shards with the step that the load asks for; null: there is none, or the last one has not begun yet. */
export function nextShards(before: ClickShards, { load, hotLinks }: BusyLog, now: number): ClickShards | null {
  const [lastDay, shards, formerLinks] = before.at(-1) ?? [0, 1, []];
  if (lastDay * DAY_MS > now || before.length >= MAX_SHARD_STEPS) return null;
  const added = hotLinks.filter((link) => !formerLinks.includes(link));
  const links = [...formerLinks, ...added].slice(0, MAX_HOT_LINKS);
  const wanted = Math.min(MAX_CLICK_SHARDS, shards * 2 ** Math.max(1, Math.ceil(Math.log2(load))));
  if (wanted === shards && links.length === formerLinks.length) return null;
  const fromDay = Math.floor((now + SHARDS_ANNOUNCED_MS) / DAY_MS) + 1;
  return [...before, [fromDay, wanted, links]];
}

/** The shards that may have clicks of the links. Those of links that the account has claimed are in the first one. */
export function shardsWithLinks(shards: ClickShards, links: readonly string[] | null): number[] {
  const found = new Set([0]);
  for (const [, count, hotLinks] of shards)
    for (let shard = 0; shard < count; shard++)
      if (links === null || links.some((id) => hotLinks.includes(id) || (randomOf(id) & (count - 1)) === shard))
        found.add(shard);
  return [...found].sort((a, b) => a - b);
}
