import { hasHash } from "../hash-set.ts";
import { HASHES_PER_CHUNK, MAX_CHUNKS_IN_MEMORY } from "../limits.ts";
import type { Hash64 } from "../siphash.ts";

/** The sorted hashes of list files, in chunks. The chunks that were used last are kept in memory. */
export class ChunkStore {
  readonly #storage: DurableObjectStorage;
  readonly #chunks = new Map<string, Uint32Array>();

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Replaces the hashes of a list, in one transaction. None: deletes them. */
  replace(list: string, sorted: Uint32Array<ArrayBuffer>): void {
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec("DELETE FROM chunks WHERE list = ?", list);
      for (let at = 0; at < sorted.length; at += 2 * HASHES_PER_CHUNK) {
        const chunk = sorted.slice(at, at + 2 * HASHES_PER_CHUNK);
        const first = toHex([chunk[0] ?? 0, chunk[1] ?? 0]);
        this.#storage.sql.exec("INSERT INTO chunks (list, first, hashes) VALUES (?, ?, ?)", list, first, chunk.buffer);
      }
    });
    for (const key of this.#chunks.keys()) if (key.startsWith(`${list} `)) this.#chunks.delete(key);
  }

  /** Whether the list has the hash. Reads one key and, unless it is in memory, one chunk. */
  has(list: string, hash: Hash64): boolean {
    const sql = "SELECT first FROM chunks WHERE list = ? AND first <= ? ORDER BY first DESC LIMIT 1";
    const [row] = this.#storage.sql.exec<{ first: string }>(sql, list, toHex(hash)).toArray();
    if (row === undefined) return false;
    return hasHash(this.#chunk(list, row.first), hash);
  }

  #chunk(list: string, first: string): Uint32Array {
    const key = `${list} ${first}`;
    const sql = "SELECT hashes FROM chunks WHERE list = ? AND first = ?";
    const chunk =
      this.#chunks.get(key) ??
      new Uint32Array(this.#storage.sql.exec<{ hashes: ArrayBuffer }>(sql, list, first).one().hashes);
    // The map keeps the order of use.
    this.#chunks.delete(key);
    this.#chunks.set(key, chunk);
    if (this.#chunks.size > MAX_CHUNKS_IN_MEMORY) this.#chunks.delete(this.#chunks.keys().next().value as string);
    return chunk;
  }
}

function toHex([low, high]: Hash64): string {
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
