import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AggregateQuery } from "../../../src/click-log/log/aggregate.ts";
import type { ClickBatch } from "../../../src/click-log/capture/message.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { insertAccount } from "../../support/accounts.ts";
import { messageOf, consume, logOf, clickOn } from "../../support/clicks.ts";
import { MAX_PART_CHARS } from "../../../src/click-log/limits.ts";

const NOW = Date.UTC(2030, 5, 15, 12);

let accountId = 2_000;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  accountId++;
  await insertAccount(env.DB, accountId);
});
afterEach(() => vi.useRealTimers());

/** The rows that `run` reads and writes, as the object's SQLite counts them. */
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
  it("are one for a click on a cold link, and one for each link in a message, however many clicks it has", async () => {
    await consume([messageOf([clickOn(link, accountId)])]);
    const cold = await rowsOf(() => consume([messageOf([clickOn(links[1] ?? "", accountId)])]));
    expect(cold.written).toBe(1);
    const again = await rowsOf(() => consume([messageOf([clickOn(links[1] ?? "", accountId)])]));
    expect(again.written).toBe(1);
    const hundred = messageOf(Array.from({ length: 100 }, (_, index) => clickOn(links[index % 20] ?? "", accountId)));
    expect((await rowsOf(() => consume([hundred]))).written).toBe(20);
    expect((await rowsOf(() => consume([hundred]))).written).toBe(0);
  });

  it("are shared by messages that are delivered together", async () => {
    const batches = Array.from({ length: 40 }, (_, index) =>
      messageOf(Array.from({ length: 250 }, (__, n) => clickOn(link, accountId, { ip: `198.51.${index}.${n}` }))),
    );
    const { written } = await rowsOf(() => consume(batches));
    expect(written).toBeLessThan(10_000 / 250);
    const sizes = await runInDurableObject(logOf(accountId), (_, { storage }) =>
      storage.sql.exec<{ size: number }>("SELECT length(segments) AS size FROM clicks").toArray(),
    );
    expect(Math.max(...sizes.map(({ size }) => size))).toBeLessThan(3 * MAX_PART_CHARS);
    // Values that clicks share are stored once.
    expect(sizes.reduce((sum, { size }) => sum + size, 0) / 10_000).toBeLessThan(50);
  });
});

describe("calls of many isolates at the same time", () => {
  const callsOf = (count: number) =>
    Array.from({ length: count }, (_, n) => messageOf([clickOn(link, accountId, { ip: `198.51.100.${n}` })]).batches);
  const atOnce = (calls: ClickBatch[][]) =>
    runInDurableObject(logOf(accountId), async (log) => Promise.all(calls.map(async (batches) => log.ingest(batches))));
  const clicksOf = async () => (await logOf(accountId).countersOf([link]))[0]?.clicks;

  it("share a row while another one is written", async () => {
    await atOnce(callsOf(1));
    expect((await rowsOf(() => atOnce(callsOf(50)))).written).toBe(2);
    expect(await clicksOf()).toBe(51);
  });

  it("do not fail with one that cannot be stored", async () => {
    await atOnce(callsOf(1));
    const calls = callsOf(20);
    const [broken] = calls[10] ?? [];
    if (broken === undefined) throw new Error("no batch");
    broken.targets = undefined as unknown as string[];
    const outcomes = await runInDurableObject(logOf(accountId), async (log) =>
      Promise.allSettled(calls.map(async (batches) => log.ingest(batches))),
    );
    expect(outcomes.flatMap(({ status }, index) => (status === "rejected" ? [index] : []))).toEqual([10]);
    expect(await clicksOf()).toBe(20);
    await atOnce(calls.filter((_, index) => index !== 10));
    expect(await clicksOf()).toBe(20);
  });
});

describe("rows read", () => {
  const year = (filters: AggregateQuery["filters"]): AggregateQuery => ({
    start: NOW - 365 * DAY_MS,
    end: NOW,
    boundaries: [NOW - 365 * DAY_MS],
    filters,
  });

  it("of a query are bounded by its days and their clicks, however many links the account has", async () => {
    for (let day = 5; day >= 0; day--) {
      vi.setSystemTime(NOW - day * DAY_MS);
      for (const each of links) {
        const clicks = Array.from({ length: 5 }, (_, n) => clickOn(each, accountId, { ip: `198.51.100.${n}` }));
        await consume([messageOf(clicks)]);
      }
    }
    for (const filters of [{}, { country: { is: ["de"], isNot: [] } }]) {
      const { read } = await rowsOf(async () => logOf(accountId).aggregate([link], year(filters)));
      // For each day a row and the index entry that ends the range scan, and two rows for the oldest day.
      expect(read).toBeLessThanOrEqual(6 * 2 + 2);
    }
    const records = { links: [link], ...year({}), bots: "exclude" as const, before: null, offset: 0, limit: 10 };
    const { read } = await rowsOf(async () => logOf(accountId).listRecords(records));
    expect(read).toBeLessThanOrEqual(2 * 6 + 1);
  });
});
