import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Clicks } from "../../src/clicks/analytics/contract.ts";
import type { Link } from "../../src/links/contract.ts";
import { buildRequest, call, createAccount, createLink, jsonOf, send, takeSentClicks } from "../support/api.ts";
import { messageOf, consume, logOf, clickOn } from "../support/clicks.ts";
import { measureD1 } from "../support/d1-meter.ts";
import { FIREFOX } from "../support/user-agents.ts";

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
    await env.DB.prepare("UPDATE links SET imported_clicks = 4 WHERE slug IN ('l1', 'l3')").run();
    expect(await slugs("&sort=clicks")).toBe("l4 l3 l2 l1 l0 l6 l5");
    expect(await slugs("&sort=clicks&order=asc")).toBe("l5 l6 l0 l1 l2 l3 l4");
    expect(await slugs("&sort=clicks&status=active")).toBe("l4 l3 l2 l1 l0 l6 l5");
    expect(await slugs("&sort=clicks&tag=even")).toBe("l4 l2 l0 l6");
    for (const more of ["", "&status=active", "&search=example"]) {
      expect(await slugs(`&sort=lastClickedAt${more}`)).toBe("l0 l2 l3 l4 l6 l5 l1");
      expect(await slugs(`&sort=lastClickedAt&order=asc${more}`)).toBe("l1 l5 l6 l4 l3 l2 l0");
    }
    expect(await slugs("")).toBe("l6 l5 l4 l3 l2 l1 l0");
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

  it("cost nothing in the database until links are read, and then for each link a row and three index entries", async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => createLink(key)));
    const clicks = made.flatMap(({ id }) => Array.from({ length: 20 }, () => clickOn(id, accountId)));
    // The use of a key is written once a minute.
    vi.useFakeTimers({ toFake: ["Date"] });
    await call("GET", "/api/keys", { key });
    // The first ones find that no webhook subscribes to clicks.
    const [click, ...others] = clicks;
    if (click === undefined) throw new Error("no click");
    expect(await measureD1(() => consume([messageOf([click])]))).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(await measureD1(() => consume([messageOf(others)]))).toMatchObject({ roundTrips: 0 });
    const first = await measureD1(() => linkAt(made[0]?.id ?? ""));
    const later = await measureD1(() => linkAt(made[0]?.id ?? ""));
    const without = { roundTrips: later.roundTrips, rowsRead: later.rowsRead, rowsWritten: later.rowsWritten };
    expect(without).toEqual({ roundTrips: 2, rowsRead: 2, rowsWritten: 0 });
    expect([first.roundTrips, first.rowsRead, first.rowsWritten]).toEqual([3, 2 + 5 * 5, 5 * 4]);
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
