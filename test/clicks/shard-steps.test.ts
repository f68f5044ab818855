import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseShards, shardOf, type ClickShards } from "../../src/clicks/click-log-name.ts";
import { Load } from "../../src/clicks/click-log/load.ts";
import { nextShards, shardsWithLinks } from "../../src/clicks/click-log/shards-of-account.ts";
import {
  BUSY_LOG_CALLS_PER_SECOND,
  BUSY_LOG_CLICKS_PER_SECOND,
  LOAD_WINDOW_MS,
  MAX_CLICK_SHARDS,
  MAX_HOT_LINKS,
} from "../../src/clicks/limits.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../src/duration.ts";
import { clickOn, consume, messageOf } from "../support/clicks.ts";

import {
  accountId,
  links,
  hot,
  shards,
  startAccount,
  MIDNIGHT,
  NOW,
  SHARDED_FROM,
  ALL_SHARDS,
  clicksAt,
} from "./shards-support.ts";
import { FIREFOX } from "../support/user-agents.ts";

beforeEach(startAccount);
afterEach(() => vi.useRealTimers());

describe("the shard of a click", () => {
  it("is the first one until the day of the step, then by link, and of a hot link by visitor", () => {
    const of = (at: number, link: string, ip = "203.0.113.1") => shardOf(shards, at, link, ip, FIREFOX);
    expect(links.map((link) => of(MIDNIGHT - 1, link))).toEqual([0, 0, 0, 0, 0]);
    expect(links.slice(1).map((link) => of(MIDNIGHT, link))).toEqual([1, 2, 3, 2]);
    const visitors = Array.from({ length: 1_000 }, (_, n) => of(MIDNIGHT, hot, `198.51.${n % 4}.${n}`));
    for (const shard of ALL_SHARDS) expect(visitors.filter((each) => each === shard).length).toBeGreaterThan(180);
  });

  it("stays in the set that a query of its link asks, whatever steps follow", () => {
    const steps: ClickShards = [
      [100, 2, []],
      [110, 8, [hot]],
      [120, 64, [hot]],
    ];
    for (const link of links)
      for (const day of [99, 100, 110, 119, 120])
        for (let n = 0; n < 20; n++)
          expect(shardsWithLinks(steps, [link])).toContain(shardOf(steps, day * DAY_MS, link, `192.0.2.${n}`, FIREFOX));
    expect(shardsWithLinks(steps, [links[1] ?? ""])).toEqual([0, 1]);
    expect(shardsWithLinks(steps, [hot])).toHaveLength(64);
    expect(shardsWithLinks(steps, null)).toHaveLength(64);
    expect(shardsWithLinks([], null)).toEqual([0]);
  });
});

describe("an account gets shards", () => {
  const busy = (load: number, hotLinks: string[] = []) => ({ load, hotLinks });

  it("at the first UTC midnight over 25 hours later", () => {
    for (const [now, fromDay] of [
      [MIDNIGHT - 25 * HOUR_MS - 1, SHARDED_FROM],
      [MIDNIGHT - 25 * HOUR_MS, SHARDED_FROM + 1],
      [MIDNIGHT, SHARDED_FROM + 2],
    ] as const)
      expect(nextShards([], busy(1), now)).toEqual([[fromDay, 2, []]]);
  });

  it("twice as many, or more for more load, up to the maximum, and one change at a time", () => {
    const first = nextShards([], busy(1), NOW) ?? [];
    expect(nextShards(first, busy(9), NOW)).toBe(null);
    const later = NOW + 3 * DAY_MS;
    const second = nextShards(first, busy(9, [hot]), later) ?? [];
    expect(second.map(([, count]) => count)).toEqual([2, 32]);
    expect(second.at(-1)?.[2]).toEqual([hot]);
    const third = nextShards(
      second,
      busy(
        1_000,
        Array.from({ length: 100 }, (_, n) => `${n}`),
      ),
      later + 3 * DAY_MS,
    );
    expect(third?.at(-1)?.[1]).toBe(MAX_CLICK_SHARDS);
    expect(third?.at(-1)?.[2]).toHaveLength(MAX_HOT_LINKS);
    expect(nextShards(third ?? [], busy(1_000, [hot]), later + 9 * DAY_MS)).toBe(null);
  });

  it("by the clicks and by the calls of a minute, and its hot links are those that alone cause half of it", () => {
    const load = new Load();
    const { batches } = messageOf(Array.from({ length: 250 }, (_, n) => clickOn(n < 150 ? hot : (links[1] ?? ""), 1)));
    const calls = (BUSY_LOG_CLICKS_PER_SECOND * LOAD_WINDOW_MS) / SECOND_MS / 250;
    expect(load.count(batches, NOW)).toBe(null);
    for (let n = 1; n < calls; n++) expect(load.count(batches, NOW + n)).toBe(null);
    expect(load.count(batches, NOW + LOAD_WINDOW_MS)).toEqual({ load: 1, hotLinks: [hot] });
    // A window with half of it.
    for (let n = 1; n < calls / 2; n++) load.count(batches, NOW + LOAD_WINDOW_MS + n);
    expect(load.count(batches, NOW + 2 * LOAD_WINDOW_MS)).toBe(null);
    const single = messageOf([clickOn(links[2] ?? "", 1)]).batches;
    for (let n = 0; n < 2 * BUSY_LOG_CALLS_PER_SECOND * 60; n++) load.count(single, NOW + 2 * LOAD_WINDOW_MS + 1);
    expect(load.count(single, NOW + 3 * LOAD_WINDOW_MS)?.load).toBeGreaterThanOrEqual(2);
  });

  it("which its busy ClickLog stores, and uses from then on", async () => {
    const log = vi.spyOn(console, "info").mockImplementation(() => undefined);
    const large = () =>
      messageOf(
        Array.from({ length: 250 }, (_, n) => clickOn(links[3] ?? "", accountId, { at: NOW, ip: `198.51.100.${n}` })),
      );
    const calls = Math.ceil((BUSY_LOG_CLICKS_PER_SECOND * LOAD_WINDOW_MS) / SECOND_MS / 250);
    for (let n = 0; n < calls; n += 60) await consume(Array.from({ length: 60 }, large));
    vi.setSystemTime(NOW + LOAD_WINDOW_MS);
    await consume([large()]);
    const stored = () =>
      env.DB.prepare("SELECT click_shards FROM accounts WHERE id = ?1").bind(accountId).first<string>("click_shards");
    await vi.waitFor(async () => expect(parseShards(await stored())).toHaveLength(1));
    const [fromDay, count] = parseShards(await stored())[0] ?? [0];
    expect([fromDay, count]).toEqual([SHARDED_FROM + 2, 2]);
    const later = fromDay * DAY_MS + 1;
    vi.setSystemTime(later);
    // From an isolate that knows nothing of it.
    await consume([messageOf([clickOn(links[1] ?? "", accountId, { at: later })])]);
    expect(await clicksAt(1)).toBe(1);
    log.mockRestore();
  });
});
