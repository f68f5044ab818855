import { describe, expect, it } from "vitest";
import { RESERVATION_MS } from "../../src/directory/limits.ts";
import { directoryNumber, renewReservation } from "../../src/directory/reserve.ts";
import { findEntry } from "../../src/directory/store.ts";
import {
  NOW,
  databases,
  shardAt,
  keyAt,
  store,
  deleteLink,
  release,
  reserve,
  reserveOrThrow,
  holdersOf,
} from "./support.ts";

describe("creations, deletions and deaths at the same time", () => {
  const KEYS = 6;
  const WORKERS = 12;
  const STEPS = 25;

  /** A reproducible sequence of numbers below 1. */
  function random(seed: number): () => number {
    let state = seed;
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
  }

  it.each([1, 2])("never give a key to two shards (seed %i)", async (seed) => {
    const keys = Array.from({ length: KEYS }, (_, n) => keyAt(n % 3, n));
    let created = 0;
    const deletions = new Map<string, number>();
    let holders: { shard: number; key: string }[] = [];
    const work = async (worker: number) => {
      const next = random(seed * 1_000 + worker);
      for (let step = 0; step < STEPS; step++) {
        const shard = Math.floor(next() * 3);
        const key = keys[Math.floor(next() * KEYS)] as string;
        // Clocks differ by more than a reservation, so reservations under way are taken over.
        const now = NOW + Math.floor(next() * 3) * RESERVATION_MS;
        const what = next();
        if (what < 0.3) {
          deletions.set(`${shard} ${key}`, (deletions.get(`${shard} ${key}`) ?? 0) + 1);
          holders = holders.filter((holder) => holder.key !== key || holder.shard !== shard);
          await deleteLink(shard, key);
          await release(key, now);
          continue;
        }
        const deletionsBefore = deletions.get(`${shard} ${key}`);
        let token = await reserve(shard, key, now);
        if (token === null || what < 0.45) continue;
        let stored: boolean = await store(shard, key, token);
        if (!stored) token = await renewReservation(databases, shard, { key, token }, now);
        if (!stored && token !== null) stored = await store(shard, key, token);
        if (!stored) continue;
        created++;
        // What was inserted may be deleted already. Those whose deletion has not begun are there now.
        if (deletions.get(`${shard} ${key}`) !== deletionsBefore) continue;
        holders.push({ shard, key });
        expect(new Set(holders.filter((each) => each.key === key).map((each) => each.shard)).size).toBe(1);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
    expect(created).toBeGreaterThan(KEYS);
    for (const key of keys) {
      const [holder, ...others] = await holdersOf(key);
      expect(others).toEqual([]);
      const entry = await findEntry(shardAt(directoryNumber(databases, key)), key);
      // Where the link is, the directory leads there.
      if (holder !== undefined && holder !== directoryNumber(databases, key)) expect(entry?.shard).toBe(holder);
      if (holder !== undefined && holder === directoryNumber(databases, key))
        expect(entry?.shard ?? holder).toBe(holder);
      // Whatever was left behind, each key can be had again.
      for (const shard of databases.shards.keys()) await deleteLink(shard, key);
      for (const shard of databases.shards.keys()) {
        const late = NOW + 10 * RESERVATION_MS;
        let token = await reserveOrThrow(shard, key, late);
        if (!(await store(shard, key, token))) {
          token = (await renewReservation(databases, shard, { key, token }, late)) ?? "none";
          expect(await store(shard, key, token)).toBe(true);
        }
        await deleteLink(shard, key);
        await release(key, late);
      }
    }
  });
});
