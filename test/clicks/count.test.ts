import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Clicks } from "../../src/clicks/analytics/contract.ts";
import { clickLogName } from "../../src/clicks/click-log-name.ts";
import type { Link } from "../../src/links/contract.ts";
import { sequenceOf } from "../../src/links/store/sequence.ts";
import { newIds } from "../../src/lib/uuid.ts";
import {
  buildRequest,
  call,
  createAccount,
  createLink,
  jsonOf,
  send,
  takeSentClicks,
  runCron,
} from "../support/api.ts";
import { messageOf, consume, FIREFOX, logOf, clickOn } from "../support/clicks.ts";
import { measureD1 } from "../support/d1-meter.ts";

let key: string;
let accountId: number;
beforeEach(async () => {
  ({ key, accountId } = await createAccount());
});

async function linkAt(id: string): Promise<Link> {
  return (await jsonOf<{ link: Link }>(await call("GET", `/api/links/${id}`, { key }))).link;
}

async function totalOf(path: string): Promise<number> {
  return (await jsonOf<{ clicks: Clicks }>(await call("GET", path, { key }))).clicks.total;
}

/** Records links, as many for each account, that were deleted in 1970. */
async function insertDeletedLinks(accounts: readonly number[], count: number): Promise<void> {
  const rows = accounts.flatMap((account) =>
    newIds(Date.now(), count).map((id) => [sequenceOf(id), id, account, "{}"]),
  );
  await env.DB.prepare(
    `INSERT INTO deleted_links (seq, id, account_id, deleted_at, link)
     SELECT CAST(value ->> 0 AS INTEGER), value ->> 1, value ->> 2, 0, value ->> 3 FROM json_each(?1)`,
  )
    .bind(JSON.stringify(rows))
    .run();
}

it("counts a click from the redirect to the analytics", async () => {
  const { id } = await createLink(key, { slug: "followed" });
  for (let time = 0; time < 3; time++) await call("GET", "/followed?qr=1");
  await call("HEAD", "/followed");
  await consume(takeSentClicks());
  expect(await linkAt(id)).toMatchObject({ clicks: 3 });
  const { clicks } = await jsonOf<{ clicks: Clicks }>(await call("GET", `/api/links/${id}/clicks`, { key }));
  expect(clicks).toMatchObject({ total: 3, unique: 3, triggers: [{ value: "qr", clicks: 3 }] });
});

describe("a link's counters", () => {
  it("show its clicks and the time of the last one, without crawlers", async () => {
    const { id } = await createLink(key);
    expect(await linkAt(id)).toMatchObject({ clicks: 0, lastClickedAt: null });
    const at = Date.now();
    await consume([
      messageOf([clickOn(id, accountId, { at }), clickOn(id, accountId, { at: at - 5 })]),
      messageOf([clickOn(id, accountId, { at: at + 9, userAgent: "Googlebot/2.1" })]),
    ]);
    expect(await linkAt(id)).toMatchObject({ clicks: 2, lastClickedAt: at });
    const { links } = await jsonOf<{ links: Link[] }>(await call("GET", "/api/links", { key }));
    expect(links).toMatchObject([{ clicks: 2, lastClickedAt: at }]);
  });

  it("miss no click that is stored by a host whose clock is behind", async () => {
    const { id } = await createLink(key);
    const now = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now });
    await consume([messageOf([clickOn(id, accountId)])]);
    expect(await linkAt(id)).toMatchObject({ clicks: 1 });
    await evictDurableObject(logOf(accountId));
    vi.setSystemTime(now - 500);
    await consume([messageOf([clickOn(id, accountId)])]);
    expect(await linkAt(id)).toMatchObject({ clicks: 2 });
    vi.useRealTimers();
  });

  it("never move backwards, whatever arrives late, twice or concurrently", { timeout: 60_000 }, async () => {
    const { id } = await createLink(key);
    const batches = Array.from({ length: 40 }, (_, index) =>
      messageOf([clickOn(id, accountId, { at: Date.now() - ((index * 7) % 40) * 600_000 })]),
    );
    let highest = 0;
    await Promise.all(
      [...batches, ...batches].map(async (batch) => {
        await consume([batch]);
        const { clicks } = await linkAt(id);
        expect(clicks).toBeGreaterThanOrEqual(0);
        highest = Math.max(highest, clicks);
      }),
    );
    expect((await linkAt(id)).clicks).toBe(40);
    expect(highest).toBeLessThanOrEqual(40);
  });

  it("are correct after an eviction of the object", async () => {
    const { id } = await createLink(key);
    const batch = messageOf([clickOn(id, accountId)]);
    await consume([batch]);
    expect(await linkAt(id)).toMatchObject({ clicks: 1 });
    await evictDurableObject(logOf(accountId));
    await consume([batch, messageOf([clickOn(id, accountId)])]);
    expect(await linkAt(id)).toMatchObject({ clicks: 2 });
  });

  it("sort a list, with or without filters, page by page", async () => {
    const made: Link[] = [];
    for (let index = 0; index < 7; index++) {
      made.push(await createLink(key, { slug: `l${index}`, tags: index % 2 === 0 ? ["even"] : [] }));
    }
    const now = Date.now();
    const counts = [3, 0, 5, 1, 5, 0, 2];
    const clicks = made.flatMap(({ id }, index) =>
      Array.from({ length: counts[index] ?? 0 }, () => clickOn(id, accountId, { at: now - index * 1_000 })),
    );
    await consume([messageOf(clicks)]);
    const slugs = async (query: string) => {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const path: string = `/api/links?limit=2${query}${cursor === null ? "" : `&cursor=${cursor}`}`;
        const page: { links: Link[]; nextCursor: string | null } = await jsonOf(await call("GET", path, { key }));
        seen.push(...page.links.map(({ slug }) => slug));
        cursor = page.nextCursor;
      } while (cursor !== null);
      return seen.join(" ");
    };
    expect(await slugs("&sort=clicks")).toBe("l4 l2 l0 l6 l3 l5 l1");
    expect(await slugs("&sort=clicks&order=asc")).toBe("l1 l5 l3 l6 l0 l2 l4");
    expect(await slugs("&sort=lastClickedAt")).toBe("l0 l2 l3 l4 l6 l5 l1");
    expect(await slugs("&sort=clicks&tag=even")).toBe("l4 l2 l0 l6");
    expect(await slugs("&sort=clicks&status=active")).toBe("l4 l2 l0 l6 l3 l5 l1");
    expect(await slugs("&sort=createdAt")).toBe("l6 l5 l4 l3 l2 l1 l0");
  });

  it("show the last known values if the ClickLog fails", async () => {
    const { id } = await createLink(key);
    await consume([messageOf([clickOn(id, accountId)])]);
    await linkAt(id);
    const broken = { getByName: () => ({ changedCounters: () => Promise.reject(new Error("down")) }) };
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const response = await send(buildRequest("GET", `/api/links/${id}`, { key }), {
      CLICK_LOG: broken as unknown as Env["CLICK_LOG"],
    });
    expect(await jsonOf(response)).toMatchObject({ link: { clicks: 1 } });
  });

  it("cost nothing in the database until links are read, and then for each link a row and two index entries", async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => createLink(key)));
    const clicks = made.flatMap(({ id }) => Array.from({ length: 20 }, () => clickOn(id, accountId)));
    // The use of a key is written once a second.
    vi.useFakeTimers({ toFake: ["Date"] });
    await call("GET", "/api/keys", { key });
    expect(await measureD1(() => consume([messageOf(clicks)]))).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    const first = await measureD1(() => linkAt(made[0]?.id ?? ""));
    const later = await measureD1(() => linkAt(made[0]?.id ?? ""));
    const without = { roundTrips: later.roundTrips, rowsRead: later.rowsRead, rowsWritten: later.rowsWritten };
    expect(without).toEqual({ roundTrips: 2, rowsRead: 2, rowsWritten: 0 });
    expect([first.roundTrips, first.rowsRead, first.rowsWritten]).toEqual([3, 2 + 5 * 5, 5 * 3]);
  });
});

describe("a message", () => {
  it("is redelivered if a ClickLog fails, and is then counted once in each", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const other = await createAccount();
    const mine = await createLink(key);
    const theirs = await createLink(other.key);
    const batch = messageOf([clickOn(mine.id, accountId), clickOn(theirs.id, other.accountId)]);
    const failing = {
      getByName: (name: string) =>
        name === `account:${accountId}`
          ? { ingest: () => Promise.reject(new Error("reset")) }
          : env.CLICK_LOG.getByName(name),
    } as unknown as Env["CLICK_LOG"];
    const { retried } = await consume([batch, messageOf([clickOn(theirs.id, other.accountId)])], {
      CLICK_LOG: failing,
    });
    expect(retried).toEqual([{ index: 0, delaySeconds: expect.any(Number) as number }]);
    expect((await consume([batch])).retried).toEqual([]);
    expect(await totalOf(`/api/links/${mine.id}/clicks`)).toBe(1);
    const { clicks } = await jsonOf<{ clicks: Clicks }>(await call("GET", "/api/clicks", { key: other.key }));
    expect(clicks.total).toBe(2);
  });

  it("is stored as a whole or not at all", async () => {
    const { id } = await createLink(key);
    const first = messageOf([clickOn(id, accountId)]);
    await consume([first]);
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await runInDurableObject(logOf(accountId), (_, { storage }) => {
      storage.sql.exec("CREATE TRIGGER broken BEFORE UPDATE ON clicks BEGIN SELECT raise(ABORT, 'broken'); END");
    });
    const second = await createLink(key);
    const batch = messageOf([clickOn(second.id, accountId), clickOn(id, accountId)]);
    expect((await consume([batch])).retried).toHaveLength(1);
    expect(await totalOf("/api/clicks")).toBe(1);
    await runInDurableObject(logOf(accountId), (_, { storage }) => storage.sql.exec("DROP TRIGGER broken"));
    expect((await consume([batch])).retried).toEqual([]);
    const { clicks } = await jsonOf<{ clicks: Clicks }>(await call("GET", "/api/clicks", { key }));
    expect(clicks).toMatchObject({ total: 3, unique: 2 });
  });

  it("counts clicks with user agents and referrers of 16 KB", async () => {
    const { id } = await createLink(key, { slug: "long" });
    const long = `${FIREFOX} `.padEnd(16_384, "x");
    for (let time = 0; time < 5; time++) {
      await call("GET", "/long", {
        headers: { "User-Agent": long, Referer: `https://${"r".repeat(16_384)}.example/` },
      });
    }
    expect((await consume(takeSentClicks())).retried).toEqual([]);
    expect(await totalOf(`/api/links/${id}/clicks`)).toBe(5);
  });
});

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

describe("deleting a link", () => {
  it("keeps its clicks for a week, then deletes them, also those that arrive later, and no others", async () => {
    const deleted = await createLink(key, { slug: "deleted" });
    const kept = await createLink(key);
    await consume([
      messageOf([clickOn(deleted.id, accountId), clickOn(deleted.id, accountId), clickOn(kept.id, accountId)]),
    ]);
    expect(await totalOf("/api/clicks")).toBe(3);
    await call("DELETE", `/api/links/${deleted.id}`, { key });
    expect((await call("GET", `/api/links/${deleted.id}/clicks`, { key })).status).toBe(404);
    await runCron(Date.now() + WEEK_MS);
    expect(await totalOf("/api/clicks")).toBe(3);
    await runCron(Date.now() + WEEK_MS + HOUR_MS);
    expect(await totalOf("/api/clicks")).toBe(1);
    await consume([messageOf([clickOn(deleted.id, accountId), clickOn(kept.id, accountId)])]);
    expect(await totalOf("/api/clicks")).toBe(2);
    expect(await env.DB.prepare("SELECT count(*) AS rows FROM deleted_links").first("rows")).toBe(0);
  });

  it("is finished by the cron for many links at once, with few database queries", async () => {
    const other = await createAccount();
    await insertDeletedLinks([accountId, other.accountId], 60);
    const { statements } = await measureD1(() => runCron(Date.now()));
    expect(await env.DB.prepare("SELECT count(*) AS rows FROM deleted_links").first("rows")).toBe(0);
    expect(statements.filter((sql) => sql.includes("deleted_links"))).toHaveLength(6);
  });

  it("is finished by the cron although the ClickLog of another account keeps failing", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const other = await createAccount();
    await insertDeletedLinks([other.accountId], 60);
    const { id } = await createLink(key);
    await call("DELETE", `/api/links/${id}`, { key });
    const failing = { forgetLinks: () => Promise.reject(new Error("down")) };
    const getByName = (name: string) =>
      name === clickLogName(other.accountId, "") ? failing : env.CLICK_LOG.getByName(name);
    const broken = { CLICK_LOG: { getByName } as unknown as Env["CLICK_LOG"] };
    const later = Date.now() + WEEK_MS + HOUR_MS;
    for (const minute of [0, 1]) await runCron(later + minute * 60_000, broken);
    const kept = "SELECT count(*) AS rows FROM deleted_links WHERE account_id = ?1";
    expect(await env.DB.prepare(kept).bind(accountId).first("rows")).toBe(0);
    expect(await env.DB.prepare(kept).bind(other.accountId).first("rows")).toBe(60);
    await runCron(later + 2 * HOUR_MS);
    expect(await env.DB.prepare(kept).bind(other.accountId).first("rows")).toBe(0);
  });

  it("is finished by the cron if the ClickLog failed", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { id } = await createLink(key);
    await consume([messageOf([clickOn(id, accountId)])]);
    await call("DELETE", `/api/links/${id}`, { key });
    const later = Date.now() + WEEK_MS + HOUR_MS;
    const broken = { getByName: () => ({ forgetLinks: () => Promise.reject(new Error("down")) }) };
    await runCron(later, { CLICK_LOG: broken as unknown as Env["CLICK_LOG"] });
    expect(String(error.mock.calls)).toContain('"job":"purge_deleted_links"');
    expect(await totalOf("/api/clicks")).toBe(1);
    await runCron(later + HOUR_MS);
    expect(await totalOf("/api/clicks")).toBe(0);
    expect(await env.DB.prepare("SELECT count(*) AS rows FROM deleted_links").first("rows")).toBe(0);
  });
});
