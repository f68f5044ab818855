import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { HashCollector } from "#src/safety/screening/hash-set.ts";
import { HASHES_PER_CHUNK } from "#src/safety/screening/limits.ts";
import { siphash, toSipKey } from "#src/safety/screening/siphash.ts";
import { ChunkStore } from "#src/safety/screening/store/chunks.ts";
import { openTables } from "#src/safety/screening/store/tables.ts";

const KEY = toSipKey(Uint8Array.from({ length: 16 }, (_, index) => index));
const hashOf = (number: number) => siphash(KEY, `entry ${number}`);

function setOf(count: number): Uint32Array<ArrayBuffer> {
  const collector = new HashCollector();
  for (let number = 0; number < count; number++) collector.add(hashOf(number));
  return collector.finish();
}

function withStorage<T>(run: (storage: DurableObjectStorage) => T): Promise<T> {
  return runInDurableObject(env.JOB_RUNNER.getByName("chunks"), (_, { storage }) => {
    openTables(storage);
    return run(storage);
  });
}

it("each entry is found in its chunk, and no other", async () => {
  const count = 3 * HASHES_PER_CHUNK + 7;
  const { missing, wrong, chunks } = await withStorage((storage) => {
    const store = new ChunkStore(storage);
    store.replace("a", setOf(count));
    store.replace("b", setOf(10));
    const numbers = Array.from({ length: count }, (_, number) => number).filter((number) => number % 17 === 0);
    return {
      missing: numbers.filter((number) => !store.has("a", hashOf(number))),
      wrong: numbers.filter((number) => store.has("a", hashOf(count + number)) || store.has("c", hashOf(number))),
      chunks: storage.sql
        .exec("SELECT length(hashes) AS bytes FROM chunks WHERE list = 'a' ORDER BY bytes DESC")
        .toArray(),
    };
  });
  expect({ missing, wrong }).toEqual({ missing: [], wrong: [] });
  expect(chunks.map(({ bytes }) => bytes)).toEqual([131_072, 131_072, 131_072, 56]);
});

it("a new version replaces the last one, also what is in memory of it", async () => {
  const found = await withStorage((storage) => {
    const store = new ChunkStore(storage);
    store.replace("a", setOf(10));
    const before = store.has("a", hashOf(9));
    store.replace("a", setOf(9));
    return [before, store.has("a", hashOf(8)), store.has("a", hashOf(9)), new ChunkStore(storage).has("a", hashOf(8))];
  });
  expect(found).toEqual([true, true, false, true]);
});
