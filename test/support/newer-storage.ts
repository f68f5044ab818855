import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect } from "vitest";
import { openStorage } from "../../src/platform/lib/object-storage.ts";

/** The call must fail, because the storage is newer. It is awaited here: a call of an object is more than a promise. */
export async function expectRefused(call: () => PromiseLike<unknown>): Promise<void> {
  const outcome = await (async () => String(await call()))().catch(String);
  expect(outcome).toContain(REFUSAL);
}

/** What the code says of an object whose storage it does not know. */
export const REFUSAL =
  "has version 2, and this code knows none after 1. It is left as it is. Deploy the newer code again.";

interface Newer {
  steps: readonly [create: string, ...further: string[]];
  /** What version 2 does to the storage of version 1, and what takes it back. */
  change: string;
  undo: string;
}

/** Opens the storage of an object with the code of version 2, which then gives way to the code of version 1. */
export async function openWithNewerCode(stub: DurableObjectStub, { steps, change }: Newer): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) => openStorage(storage, [...steps, change]));
  await evictDurableObject(stub);
}

/** The storage becomes one of version 1 again: its code then does what the newer code would do. */
export async function takeBack(stub: DurableObjectStub, { undo }: Newer): Promise<void> {
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec(undo);
    storage.kv.delete("version");
  });
  await evictDurableObject(stub);
}

/** All that an object stores. */
export function contentOf(stub: DurableObjectStub): Promise<Record<string, unknown>> {
  return runInDurableObject(stub, (_, { storage: { sql, kv } }) => {
    const tables = sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray();
    const rows = tables.map(({ name }) => [name, sql.exec(`SELECT * FROM ${name}`).toArray()]);
    return { ...Object.fromEntries(rows), byKey: [...kv.list()] };
  });
}
