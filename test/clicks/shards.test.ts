import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Clicks } from "../../src/analytics/contract.ts";
import { clickLogName, shardName, shardOf } from "../../src/clicks/click-log-name.ts";
import { endExport, readExport, type AccountExportCursor } from "../../src/clicks/click-log/account-exports.ts";
import { aggregateClicks, listClickRecords } from "../../src/clicks/click-log/account-queries.ts";
import { DAY_MS, SECOND_MS } from "../../src/duration.ts";
import { newId } from "../../src/lib/uuid.ts";
import type { Link } from "../../src/links/contract.ts";
import { purgeDeletedLinks } from "../../src/links/purge-deleted-links.ts";
import { moveClicks } from "../../src/links/claims/move-clicks.ts";
import * as memoryCache from "../../src/redirect/lookup/memory-cache.ts";
import { call, createAccount, createLink, jobContext, jsonOf, takeSentClicks } from "../support/api.ts";
import { clickOn, clicksIn, consume, messageOf } from "../support/clicks.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { arrived, watch } from "../analytics/live/support.ts";

import {
  key,
  accountId,
  hot,
  links,
  shards,
  startAccount,
  shardFor,
  MIDNIGHT,
  NOW,
  SHARDED_FROM,
  ALL_SHARDS,
  storeShards,
  context,
  logAt,
  rowsAt,
  clicksAt,
  shardedMessage,
  clicksAround,
  expectModel,
} from "./shards-support.ts";
import { CRAWLER } from "../support/user-agents.ts";

beforeEach(startAccount);
afterEach(() => vi.useRealTimers());

describe("the clicks of four shards", () => {
  beforeEach(storeShards);

  it("add up to those of the model, across the midnight on which the shards appear", async () => {
    const clicks = clicksAround();
    for (let first = 0; first < clicks.length; first += 50)
      await consume([shardedMessage(clicks.slice(first, first + 50))]);
    await expectModel(clicks);
    for (const shard of ALL_SHARDS) expect(await clicksAt(shard), `shard ${shard}`).toBeGreaterThan(0);
    // The second time from summaries, once both days are over.
    vi.setSystemTime(MIDNIGHT + 2 * DAY_MS);
    await expectModel(clicks);
    await expectModel(clicks);
  });

  it("are spread by their time if their visitors are not to be recognised", async () => {
    const clicks = Array.from({ length: 64 }, (_, n) => clickOn(hot, accountId, { at: NOW + n, ip: null }));
    await consume([shardedMessage(clicks)]);
    for (const shard of ALL_SHARDS) expect(await clicksAt(shard), `shard ${shard}`).toBeGreaterThan(0);
  });

  it("are counted once when messages are redelivered, out of order and after restarts", async () => {
    const clicks = clicksAround(200);
    const messages = [0, 50, 100, 150].map((first) => shardedMessage(clicks.slice(first, first + 50)));
    await Promise.all([consume(messages.slice(2)), consume(messages.slice(1, 3))]);
    for (const shard of ALL_SHARDS) await evictDurableObject(logAt(shard));
    await consume(messages.toReversed());
    await consume(messages);
    await expectModel(clicks);
  });

  it("are counted once, each visitor too, when isolates know no shards: the first one forwards them", async () => {
    const clicks = clicksAround(200);
    await consume([shardedMessage(clicks.slice(0, 40))]);
    const ignorant = [40, 120].map((first) => messageOf(clicks.slice(first, first + 80)));
    await consume(ignorant);
    expect(await clicksAt(3)).toBeGreaterThan(0);
    await consume(ignorant);
    await expectModel(clicks);
  });

  it("keep their ids when they are forwarded, as those of a batch that is not", async () => {
    const clicks = clicksAround(60).filter(([at]) => at >= MIDNIGHT);
    // A click of the first shard, which learns of the others by it.
    const ofFirst = (links[0] ?? "").slice(0, -3) + "004";
    await consume([shardedMessage([clickOn(ofFirst, accountId, { at: NOW })])]);
    const message = messageOf(clicks);
    const page = { before: null, offset: 0, limit: 1_000, bots: "include", filters: {}, links: null } as const;
    const ids = async () =>
      (await listClickRecords(context(), { ...page, start: 0, end: NOW + DAY_MS })).map(({ id }) => id);
    await consume([message]);
    const once = await ids();
    await consume([message]);
    expect(await ids()).toEqual(once);
    expect(new Set(once).size).toBe(clicks.length + 1);
    expect(await clicksAt(2)).toBeGreaterThan(0);
    // The index of the click is at the end of its id.
    const indexes = new Set(once.map((id) => Number.parseInt(id.slice(-4), 16)));
    expect(indexes.size).toBe(clicks.length);
  });

  it("are stored in full when a shard fails in the middle of forwarding, and the message comes again", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const clicks = clicksAround(200);
    await consume([shardedMessage(clicks.slice(0, 40))]);
    const message = messageOf(clicks.slice(40));
    const failing = {
      getByName: (name: string) =>
        name === shardName(accountId, 2)
          ? { ingest: () => Promise.reject(new Error("reset")) }
          : env.CLICK_LOG.getByName(name),
    } as unknown as Env["CLICK_LOG"];
    await runInDurableObject(
      logAt(0),
      (log) => void Object.assign((log as unknown as { code: object }).code, { env: { ...env, CLICK_LOG: failing } }),
    );
    expect((await consume([message])).retried).toHaveLength(1);
    await evictDurableObject(logAt(0));
    expect((await consume([message])).retried).toEqual([]);
    await expectModel(clicks);
  });

  it("stay where they are stored if their ClickLog learns of the shards only then", async () => {
    const clicks = clicksAround(80).filter(([at]) => at >= MIDNIGHT);
    const early = messageOf(clicks);
    await consume([early]);
    expect(await clicksAt(0)).toBeGreaterThan(0);
    expect(await clicksAt(1)).toBe(0);
    const more = shardedMessage([clickOn(links[4]?.replace(/...$/, "004") ?? "", accountId, { at: NOW })]);
    await consume([more]);
    const before = await clicksAt(0);
    await consume([early]);
    expect([await clicksAt(0), await clicksAt(1), await clicksAt(3)]).toEqual([before, 0, 0]);
  });

  it("are listed newest first over all shards, page by page", async () => {
    const clicks = clicksAround(120).filter(([, , , , , userAgent]) => userAgent !== CRAWLER);
    await consume([shardedMessage(clicks)]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `/api/clicks/records?interval=30d&limit=25${cursor === null ? "" : `&cursor=${cursor}`}`;
      const page: { records: { id: string }[]; nextCursor: string | null } = await jsonOf(
        await call("GET", path, { key }),
      );
      seen.push(...page.records.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(clicks.length);
    expect(seen).toEqual(seen.toSorted().toReversed());
  });

  it("are exported once each, the newest day first, also by an export that began before", async () => {
    const clicks = clicksAround(300);
    const query = { links: null, start: 0, end: NOW + DAY_MS, filters: {}, bots: "include" } as const;
    await consume([shardedMessage(clicks)]);
    for (const first of [null, { day: SHARDED_FROM, link: "~", part: 0 }]) {
      const found: { id: string; clickedAt: number }[] = [];
      let after: AccountExportCursor | null = first;
      do {
        const page: Awaited<ReturnType<typeof readExport>> = await readExport(context(), "export", query, after);
        expect(page.waitMs).toBe(0);
        found.push(...page.clicks);
        after = page.next;
      } while (after !== null);
      expect(found).toHaveLength(clicks.length);
      expect(new Set(found.map(({ id }) => id)).size).toBe(clicks.length);
      const days = found.map(({ clickedAt }) => Math.floor(clickedAt / DAY_MS));
      expect(days).toEqual(days.toSorted((a, b) => b - a));
      await endExport(context(), "export", query);
    }
    const csv = await (await call("GET", "/api/clicks/records?format=csv&bots=include", { key })).text();
    expect(csv.trim().split("\n")).toHaveLength(clicks.length + 1);
  });
});

describe("the links of an account with shards", () => {
  let link: Link;
  beforeEach(async () => {
    link = await createLink(key, { slug: "sharded" });
    shardFor(link.id);
    await storeShards();
    memoryCache.clear();
    await caches.open("links-7").then((cache) => cache.delete("https://links.cache//sharded"));
  });
  const shown = async () => (await jsonOf<{ link: Link }>(await call("GET", `/api/links/${link.id}`, { key }))).link;

  it("have counters of all shards, which never move backwards", async () => {
    const click = (n: number) => clickOn(link.id, accountId, { at: NOW - n, ip: `203.0.113.${n}` });
    let last = 0;
    for (let first = 0; first < 40; first += 10) {
      await consume([shardedMessage(Array.from({ length: 10 }, (_, n) => click(first + n)))]);
      const { clicks } = await shown();
      expect(clicks).toBeGreaterThanOrEqual(last);
      last = clicks;
    }
    expect(await shown()).toMatchObject({ clicks: 40, lastClickedAt: NOW });
    expect(await clicksAt(0)).toBeLessThan(40);
  });

  it("name the shards in the redirect, whose click goes to the right one", async () => {
    for (let n = 0; n < 16; n++) await call("GET", "/sharded", { address: `198.51.100.${n}` });
    const sent = takeSentClicks();
    const names = new Set(sent.flatMap(({ batches }) => batches.map(({ log }) => log)));
    expect(names.size).toBeGreaterThan(1);
    for (const { batches } of sent)
      for (const batch of batches)
        for (const [at, id, , , ip, userAgent] of clicksIn({ kind: "clicks", batches: [batch] }))
          expect(batch.log).toBe(shardName(accountId, shardOf(shards, at, id, ip, userAgent)));
    await consume(sent);
    const { clicks } = await jsonOf<{ clicks: Clicks }>(await call("GET", `/api/links/${link.id}/clicks`, { key }));
    expect(clicks).toMatchObject({ total: 16, unique: 16 });
  });

  it("cost a cold redirect one row more, and those of other accounts none", async () => {
    expect(await measureD1(() => call("GET", "/sharded"))).toMatchObject({ roundTrips: 1, rowsRead: 2 });
    const other = await createAccount();
    await createLink(other.key, { slug: "plain" });
    memoryCache.clear();
    await caches.open("links-7").then((cache) => cache.delete("https://links.cache//plain"));
    expect(await measureD1(() => call("GET", "/plain"))).toMatchObject({ roundTrips: 1, rowsRead: 1 });
  });

  it("are forgotten by all shards when they are purged", async () => {
    const clicks = Array.from({ length: 40 }, (_, n) => clickOn(link.id, accountId, { ip: `203.0.113.${n}` }));
    const message = shardedMessage(clicks);
    await consume([message]);
    expect((await call("DELETE", `/api/links/${link.id}`, { key })).status).toBe(200);
    const later = NOW + 60 * DAY_MS;
    await env.DB.prepare("UPDATE deleted_links SET deleted_at = 0").run();
    expect(await purgeDeletedLinks(jobContext(later))).toBe(1);
    await consume([message]);
    for (const shard of ALL_SHARDS) expect(await rowsAt(shard)).toEqual([]);
  });

  it("show clicks of all shards to who watches", async () => {
    const watcher = await watch("", { key });
    const clicks = Array.from({ length: 24 }, (_, n) => clickOn(link.id, accountId, { ip: `203.0.113.${n}` }));
    await consume([shardedMessage(clicks)]);
    // Clicks that are held back come with the next message.
    for (let round = 0; round < 4; round++) {
      vi.setSystemTime(Date.now() + 2 * SECOND_MS);
      await consume([shardedMessage([clickOn(link.id, accountId, { ip: `192.0.2.${round}` })])]);
      await arrived(watcher);
    }
    await vi.waitFor(() =>
      expect(watcher.messages.reduce((sum, { total }) => sum + total, 0)).toBeGreaterThanOrEqual(24),
    );
  });

  it("that were anonymous are moved with their clicks, and count with those of the shards", async () => {
    const claimed = newId(NOW - DAY_MS).slice(0, -3) + "003";
    await consume([messageOf([clickOn(claimed, null), clickOn(claimed, null, { ip: "203.0.113.2" })])]);
    await moveClicks(env, accountId, [claimed]);
    // One that an old copy still sends to the ClickLog of anonymous links, and one of the account.
    await consume([messageOf([clickOn(claimed, null, { ip: "203.0.113.3" })])]);
    await consume([shardedMessage([clickOn(claimed, accountId, { ip: "203.0.113.4" })])]);
    const query = { start: 0, end: NOW + DAY_MS, boundaries: [0], filters: {} };
    expect((await aggregateClicks(context(), [claimed], query)).timeseries).toMatchObject([{ clicks: 4, unique: 4 }]);
    expect((await env.CLICK_LOG.getByName(clickLogName(null, claimed)).readLink(claimed)).length).toBe(0);
    expect(await clicksAt(3)).toBe(1);
  });
});
