import { DAY_MS } from "../../duration.ts";
import { readTarget, type ClickBatch } from "../capture/message.ts";
import { shardName, shardOf, type ClickShards } from "../click-log-name.ts";
import type { ClickWriter } from "./writer.ts";

/**
 * Divides the batch by the shards that its clicks belong to. Each part has the id of the batch, and its clicks keep their ids.
 * Clicks that this ClickLog has stored already stay here.
 */
export function divideBatch(batch: ClickBatch, shards: ClickShards, writer: ClickWriter): ClickBatch[] {
  const { id, log, accountId, clicks } = batch;
  if (accountId === null) return [batch];
  const links = batch.targets.map((text) => readTarget(text).linkId);
  const here = shardOfName(log);
  const byShard = Map.groupBy(clicks.at.keys(), (index) => {
    const [at = 0, link = ""] = [clicks.at[index], links[clicks.target[index] ?? 0]];
    const shard = shardOf(shards, at, link, clicks.ip[index] ?? null, clicks.userAgent[index] ?? "");
    return shard === here || writer.hasBatch(Math.floor(at / DAY_MS), link, id) ? here : shard;
  });
  if (byShard.size === 1 && byShard.has(here)) return [batch];
  return Array.from(byShard, ([shard, indexes]) => {
    const part: ClickBatch = { ...batch, log: shardName(accountId, shard) };
    part.clicks = pickClicks(clicks, indexes);
    return part;
  });
}

function pickClicks(clicks: ClickBatch["clicks"], indexes: readonly number[]): ClickBatch["clicks"] {
  const pick = <T>(values: readonly T[]) => indexes.map((index) => values[index] as T);
  return {
    at: pick(clicks.at),
    target: pick(clicks.target),
    origin: pick(clicks.origin),
    ip: pick(clicks.ip),
    userAgent: pick(clicks.userAgent),
    index: clicks.index === undefined ? [...indexes] : pick(clicks.index),
  };
}

/** The shard whose ClickLog has this name. */
function shardOfName(name: string): number {
  return Number(name.split(":")[2] ?? 0);
}
