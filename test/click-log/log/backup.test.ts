import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BackedUpRow, BackupCursor } from "../../../src/click-log/log/backup.ts";
import { DAY_MS } from "../../../src/limits.ts";
import { newId } from "../../../src/platform/lib/uuid.ts";
import { insertAccount } from "../../support/accounts.ts";
import { clickOn, consume, logOf, messageOf } from "../../support/clicks.ts";
import { BACKUP_PAGE_CHARS, MAX_BACKUP_PAGE_CHARS } from "../../../src/click-log/limits.ts";

// In the future, so that alarms run only when a test runs them.
const NOW = Date.UTC(2031, 5, 15, 12);

let accountId = 5_000;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  accountId += 2;
  await insertAccount(env.DB, accountId);
  await insertAccount(env.DB, accountId + 1);
});
afterEach(() => vi.useRealTimers());

/** Copies all pages from one ClickLog to another; returns the pages. */
async function copy(from: number, to: number): Promise<BackedUpRow[][]> {
  const pages: BackedUpRow[][] = [];
  let after: BackupCursor | null = null;
  do {
    const page: Awaited<ReturnType<ReturnType<typeof logOf>["exportClicks"]>> = await logOf(from).exportClicks(after);
    pages.push(page.rows);
    await logOf(to).importClicks(page.rows);
    after = page.next;
  } while (after !== null);
  return pages;
}

const everything = () => ({ start: 0, end: NOW + DAY_MS, boundaries: [0], filters: {} });
const row = (link: string, part: number, chars: number, level = 0): BackedUpRow => ({
  day: Math.floor(NOW / DAY_MS) - 1,
  link,
  part,
  level,
  clicks: 1,
  first_at: NOW - DAY_MS,
  last_at: NOW - DAY_MS,
  last_click_at: NOW - DAY_MS,
  batches: "",
  visitors: "",
  segments: JSON.stringify("x".repeat(chars)),
});

it("restores clicks and their counters, also twice, and keeps the maintenance going", async () => {
  const [link, other] = [newId(NOW - 200 * DAY_MS), newId(NOW - 1)];
  vi.setSystemTime(NOW - 150 * DAY_MS);
  await consume([
    messageOf(Array.from({ length: 30 }, (_, n) => clickOn(link, accountId, { ip: `198.51.100.${n % 7}` }))),
  ]);
  vi.setSystemTime(NOW);
  await consume([messageOf([clickOn(other, accountId), clickOn(link, accountId, { country: "JP", trigger: 1 })])]);
  const target = accountId + 1;
  // The target was asked before, and has confirmed that it has no counters.
  await logOf(target).confirmCounters(await logOf(target).changedCounters());

  await copy(accountId, target);
  await copy(accountId, target);
  for (const each of [null, [link], [other]])
    expect(await logOf(target).aggregate(each, everything())).toEqual(
      await logOf(accountId).aggregate(each, everything()),
    );
  const counters = await logOf(target).changedCounters();
  expect(Object.fromEntries(counters.map(({ linkId, clicks }) => [linkId, clicks]))).toEqual({
    [link]: 31,
    [other]: 1,
  });
  const alarmAt = await runInDurableObject(logOf(target), (_, { storage }) => storage.getAlarm());
  expect(alarmAt).toBeGreaterThan(NOW);
  expect(alarmAt).toBeLessThan(NOW + 2 * DAY_MS);
  // Without rows, as after the loss of the database alone, it has counters to report again.
  await logOf(target).confirmCounters(counters);
  expect(await logOf(target).changedCounters()).toEqual([]);
  await logOf(target).importClicks([]);
  expect(await logOf(target).changedCounters()).toEqual(counters);
});

it("reads in pages that end between two days of a link, unless a day is too large", async () => {
  const half = BACKUP_PAGE_CHARS / 2;
  const small = ["a", "b", "c"].flatMap((link) => [row(link, 0, half), row(link, 1, 10)]);
  await logOf(accountId).importClicks(small);
  const pages = await copy(accountId, accountId + 1);
  expect(pages.flat()).toEqual(small);
  expect(pages.map((rows) => [...new Set(rows.map(({ link }) => link))])).toEqual([["a"], ["b"], ["c"]]);

  const parts = Array.from({ length: 9 }, (_, n) => row("large", n, MAX_BACKUP_PAGE_CHARS / 6));
  for (const part of parts) await logOf(accountId + 1).importClicks([part]);
  const split = await copy(accountId + 1, accountId);
  expect(split.flat()).toEqual([...small, ...parts]);
  expect(split.length).toBeGreaterThan(pages.length + 1);
});

it("refuses a day that was rolled up between two of its pages", async () => {
  const cursor = { ...row("a", 3, 1), rows: 4, totalsMoved: 0 };
  await logOf(accountId).importClicks([row("a", 0, 10, 1)]);
  const failure = runInDurableObject(logOf(accountId), (log) => log.exportClicks(cursor));
  await expect(failure).rejects.toThrow("Make the backup again");
  // The clicks of a deleted link are gone, which is no failure.
  expect(await logOf(accountId + 1).exportClicks(cursor)).toEqual({ rows: [], next: null });
});
