import { describe, expect, it } from "vitest";
import { LOST_TOKEN_KEPT_MS } from "../../src/directory/limits.ts";
import { directoryNumber, OWN_DIRECTORY, renewReservation, reserveKeys } from "../../src/directory/reserve.ts";
import { deleteOldTokens, loseTokens, replaceEntry } from "../../src/directory/store.ts";
import {
  NOW,
  LATER,
  databases,
  shardAt,
  keyAt,
  store,
  deleteLink,
  release,
  reserve,
  reserveOrThrow,
  entryOf,
  holdersOf,
} from "./support.ts";

describe("a reservation", () => {
  it("gives a key to one of two shards that want it at once", async () => {
    const key = keyAt(0);
    const tokens = await Promise.all([reserve(1, key), reserve(2, key)]);
    expect(tokens.filter((token) => token === null)).toHaveLength(1);
    const stored = await Promise.all(tokens.map(async (token, n) => token !== null && store(n + 1, key, token)));
    expect(stored.filter(Boolean)).toHaveLength(1);
    expect(await holdersOf(key)).toHaveLength(1);
  });

  it("gives a shard the same token again, so that its own unique index decides", async () => {
    const key = keyAt(0);
    const first = await reserveOrThrow(1, key);
    expect(await reserve(1, key)).toBe(first);
    expect([await store(1, key, first), await store(1, key, first)]).toEqual([true, false]);
  });

  it("refuses what the directory's own database has as a slug, an alias, a slug of a deleted link, or a verified domain", async () => {
    const [slug, alias, free] = [keyAt(0, 0), keyAt(0, 1), keyAt(0, 2)];
    expect(await store(0, slug, OWN_DIRECTORY)).toBe(true);
    await shardAt(0)
      .prepare("INSERT INTO aliases (domain, slug_key, link_seq, account_id) VALUES ('', ?1, 1, 1)")
      .bind(alias)
      .run();
    const domain = ["a.test", "b.test", "c.test", "d.test", "e.test", "f.test", "g.test"].find(
      (name) => directoryNumber(databases, name) === 0,
    ) as string;
    await shardAt(0).batch([
      shardAt(0).prepare("INSERT INTO accounts (id, uuid, name, created_at) VALUES (1, 'a', 'a', 0)"),
      shardAt(0)
        .prepare(
          `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
           VALUES ('d', 1, ?1, 't', 'verified', 0, 0)`,
        )
        .bind(domain),
    ]);
    const reserved = await reserveKeys(databases, 1, [slug, alias, domain, free], LATER);
    expect([slug, alias, domain].map((key) => reserved.get(key))).toEqual([null, null, null]);
    expect(reserved.get(free)).toEqual(expect.any(String));
  });

  it("needs no entry where the shard is the directory itself, and is refused there by the entry of another shard", async () => {
    const key = keyAt(1);
    expect(await reserve(1, key)).toBe(OWN_DIRECTORY);
    const other = await reserveOrThrow(2, key);
    expect(await store(1, key, OWN_DIRECTORY)).toBe(false);
    expect(await renewReservation(databases, 1, { key, token: OWN_DIRECTORY }, NOW)).toBeNull();
    expect(await store(2, key, other)).toBe(true);
    expect(await renewReservation(databases, 1, { key, token: OWN_DIRECTORY }, LATER)).toBeNull();
    expect(await holdersOf(key)).toEqual([2]);
  });

  it("of many keys asks each directory once", async () => {
    const keys = Array.from({ length: 60 }, (_, n) => keyAt(n % 3, Math.floor(n / 3)));
    const reserved = await reserveKeys(databases, 1, keys, NOW);
    expect([...reserved.values()].filter((token) => token === OWN_DIRECTORY)).toHaveLength(20);
    const others = await reserveKeys(databases, 2, keys, NOW);
    expect(keys.filter((key) => others.get(key) !== null)).toEqual(
      keys.filter((key) => directoryNumber(databases, key) !== 0),
    );
  });
});

describe("a creator that dies between the reservation and the insertion", () => {
  it("keeps the key from other shards for a minute, and then no longer", async () => {
    const key = keyAt(0);
    await reserveOrThrow(1, key);
    expect(await reserve(2, key, LATER - 1)).toBeNull();
    const token = await reserveOrThrow(2, key, LATER);
    expect(await store(2, key, token)).toBe(true);
    expect((await entryOf(key)).shard).toBe(2);
  });

  it("stores nothing if it was only slow and its reservation was taken over", async () => {
    const key = keyAt(0);
    const slow = await reserveOrThrow(1, key);
    const token = await reserveOrThrow(2, key, LATER);
    expect(await store(1, key, slow)).toBe(false);
    expect(await renewReservation(databases, 1, { key, token: slow }, LATER)).toBeNull();
    expect(await store(2, key, token)).toBe(true);
    expect(await holdersOf(key)).toEqual([2]);
  });

  it("keeps the key if it was slow and stored its link first", async () => {
    const key = keyAt(0);
    expect(await store(1, key, await reserveOrThrow(1, key))).toBe(true);
    expect(await reserve(2, key, LATER)).toBeNull();
  });

  it("leaves the key to the directory's own shard too", async () => {
    const key = keyAt(1);
    const slow = await reserveOrThrow(2, key);
    expect(await store(1, key, OWN_DIRECTORY)).toBe(false);
    expect(await renewReservation(databases, 1, { key, token: OWN_DIRECTORY }, LATER)).toBe(OWN_DIRECTORY);
    expect([await store(2, key, slow), await store(1, key, OWN_DIRECTORY)]).toEqual([false, true]);
  });

  it("does not block its own shard if the one that takes over dies before it has the entry", async () => {
    const key = keyAt(0);
    const lost = await reserveOrThrow(1, key);
    expect(await loseTokens(shardAt(1), [await entryOf(key)], LATER)).toHaveLength(1);
    expect(await store(1, key, lost)).toBe(false);
    const renewed = await renewReservation(databases, 1, { key, token: lost }, LATER);
    expect(renewed).not.toBe(lost);
    expect(await store(1, key, renewed as string)).toBe(true);
  });
});

it("is not replaced in an entry of the directory's own shard that stored a link meanwhile", async () => {
  // Such an entry is left when an account moves to the directory's database.
  const key = keyAt(0);
  const insert = "INSERT INTO directory (key, shard, token, reserved_at) VALUES (?1, 0, 'moved', ?2)";
  await shardAt(0).prepare(insert).bind(key, NOW).run();
  const entry = await entryOf(key);
  expect(await loseTokens(shardAt(0), [entry], LATER)).toHaveLength(1);
  expect(await store(0, key, OWN_DIRECTORY)).toBe(true);
  expect(await replaceEntry(shardAt(0), entry, { ...entry, shard: 1, token: "other" })).toBe(false);
});

describe("a released key", () => {
  it("is free for other shards at once, and not while a link has it", async () => {
    const key = keyAt(0);
    const token = await reserveOrThrow(1, key);
    await store(1, key, token);
    await release(key, NOW);
    expect(await reserve(2, key)).toBeNull();
    await deleteLink(1, key);
    await release(key, NOW);
    expect(await store(2, key, await reserveOrThrow(2, key))).toBe(true);
    expect(await store(1, key, token)).toBe(false);
  });

  it("leaves a lost token until no request can have it any more", async () => {
    const key = keyAt(0);
    await reserveOrThrow(1, key);
    await release(key, NOW);
    expect(await deleteOldTokens(shardAt(1), NOW + LOST_TOKEN_KEPT_MS - 1, 10)).toBe(0);
    expect(await deleteOldTokens(shardAt(1), NOW + LOST_TOKEN_KEPT_MS, 10)).toBe(1);
  });
});
