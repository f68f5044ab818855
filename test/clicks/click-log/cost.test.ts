import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Question } from "../../../src/clicks/click-log/aggregate.ts";
import { MAX_PART_CHARS } from "../../../src/limits.ts";
import { newId } from "../../../src/lib/uuid.ts";
import { messageOf, consume, logOf, visit } from "../../support/clicks.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2030, 5, 15, 12);

let accountId = 2_000;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  accountId++;
});
afterEach(() => vi.useRealTimers());

/** Rows that the object's SQLite reads and writes meanwhile, as it counts them itself. */
async function rowsOf(run: () => Promise<unknown>): Promise<{ read: number; written: number }> {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const restore = await runInDurableObject(logOf(accountId), (_, { storage }) => {
    const { sql } = storage;
    const exec = sql.exec.bind(sql);
    const spy = vi.spyOn(sql, "exec").mockImplementation((...args) => {
      const cursor = exec(...args);
      cursors.push(cursor);
      return cursor;
    });
    return () => spy.mockRestore();
  });
  await run();
  const rows = await runInDurableObject(logOf(accountId), () => ({
    read: cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  }));
  restore();
  return rows;
}

const links = Array.from({ length: 20 }, (_, index) => newId(NOW - 400 * DAY_MS + index));
const [link = ""] = links;

describe("rows written", () => {
  it("are one for a click on a cold link, and one for each link in a message, however many clicks", async () => {
    await consume([messageOf([visit(link, accountId)])]);
    const cold = await rowsOf(() => consume([messageOf([visit(links[1] ?? "", accountId)])]));
    expect(cold.written).toBe(1);
    const again = await rowsOf(() => consume([messageOf([visit(links[1] ?? "", accountId)])]));
    expect(again.written).toBe(1);
    const hundred = messageOf(Array.from({ length: 100 }, (_, index) => visit(links[index % 20] ?? "", accountId)));
    expect((await rowsOf(() => consume([hundred]))).written).toBe(20);
    expect((await rowsOf(() => consume([hundred]))).written).toBe(0);
  });

  it("are shared by the messages that come together", async () => {
    const batches = Array.from({ length: 40 }, (_, index) =>
      messageOf(Array.from({ length: 250 }, (__, n) => visit(link, accountId, { ip: `198.51.${index}.${n}` }))),
    );
    const { written } = await rowsOf(() => consume(batches));
    expect(written).toBeLessThan(10_000 / 250);
    const sizes = await runInDurableObject(logOf(accountId), (_, { storage }) =>
      storage.sql.exec<{ size: number }>("SELECT length(lines) AS size FROM clicks").toArray(),
    );
    expect(Math.max(...sizes.map(({ size }) => size))).toBeLessThan(3 * MAX_PART_CHARS);
    // What the clicks have in common is there once.
    expect(sizes.reduce((sum, { size }) => sum + size, 0) / 10_000).toBeLessThan(50);
  });
});

describe("rows read", () => {
  const year = (filters: Question["filters"]): Question => ({
    start: NOW - 365 * DAY_MS,
    end: NOW,
    borders: [NOW - 365 * DAY_MS],
    filters,
  });

  it("of a question are bounded by its days and what they hold, whatever other links there are", async () => {
    for (let day = 5; day >= 0; day--) {
      vi.setSystemTime(NOW - day * DAY_MS);
      for (const each of links) {
        const visits = Array.from({ length: 5 }, (_, n) => visit(each, accountId, { ip: `198.51.100.${n}` }));
        await consume([messageOf(visits)]);
      }
    }
    for (const filters of [{}, { country: "DE" }]) {
      const { read } = await rowsOf(async () => logOf(accountId).tally(link, year(filters)));
      // A row a day and the one behind it, and those that say which day is the first.
      expect(read).toBeLessThanOrEqual(6 * 2 + 2);
    }
    const records = { link, ...year({}), bots: "exclude" as const, before: null, offset: 0, limit: 10 };
    const { read } = await rowsOf(async () => logOf(accountId).records(records));
    expect(read).toBeLessThanOrEqual(2 * 6 + 1);
  });
});
