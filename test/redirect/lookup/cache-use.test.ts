import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  CACHE_FILLS_PER_SECOND,
  CACHE_PROBE_EVERY,
  LINK_READ_TIMEOUT_WITH_COPY_MS,
  MEMO_FRESH_MS,
} from "../../../src/limits.ts";
import { claimFill, claimLook, noteLook } from "../../../src/redirect/lookup/cache-use.ts";
import { clearMemoryCache } from "../../../src/redirect/lookup/memory-cache.ts";
import { buildRequest, call, createAccount, createLink, send } from "../../support/api.ts";

const MANY = 1_000;

/** As after many links that no other isolate of the data centre has met. */
function missOften(): void {
  for (let look = 0; look < MANY; look++) noteLook(false);
}

it("looks into the cache while that answers, hardly where it does not, and again once it does", () => {
  const looks = () => Array.from({ length: MANY }, claimLook).filter(Boolean).length;
  expect(looks()).toBe(MANY);
  for (let look = 0; look < MANY; look++) noteLook(look % 4 === 0);
  expect(looks()).toBe(MANY);
  missOften();
  expect(looks()).toBe(Math.floor(MANY / CACHE_PROBE_EVERY));
  for (let look = 0; look < 10; look++) noteLook(true);
  expect(looks()).toBe(MANY);
});

it("fills the cache with so many links a second, whatever the clock does", () => {
  const filled = (now: number) => Array.from({ length: MANY }, () => claimFill(now)).filter((may) => may).length;
  const now = Date.now();
  expect(filled(now)).toBe(CACHE_FILLS_PER_SECOND);
  expect(filled(now + 500)).toBe(CACHE_FILLS_PER_SECOND / 2);
  expect(filled(now)).toBe(0);
  expect(filled(now + 1_000)).toBe(CACHE_FILLS_PER_SECOND);
  expect(filled(now + 3_600_000)).toBe(CACHE_FILLS_PER_SECOND);
});

describe("where the cache has hardly ever had a new link lately", () => {
  let key: string;
  beforeEach(async () => {
    ({ key } = await createAccount());
    vi.useFakeTimers({ toFake: ["Date"] });
  });

  const failing = new Proxy(env.DB, {
    get: () => () => {
      throw new Error("D1 is down");
    },
  });

  function spyOnCache() {
    const opened = vi.spyOn(caches, "open");
    return () => opened.mock.calls.splice(0).length;
  }

  it("asks the database alone, and the cache too for who comes again", async () => {
    await createLink(key, { slug: "rare", url: "https://example.com/rare" });
    missOften();
    while (claimFill(Date.now()));
    const uses = spyOnCache();
    expect((await call("GET", "/rare")).headers.get("Location")).toBe("https://example.com/rare");
    expect(uses()).toBe(0);
    vi.setSystemTime(Date.now() + MEMO_FRESH_MS);
    while (claimFill(Date.now()));
    expect((await call("GET", "/rare")).status).toBe(302);
    expect(uses()).toBeGreaterThan(1);
    // By then another isolate finds it there.
    clearMemoryCache();
    expect((await send(buildRequest("GET", "/rare"), { DB: failing })).status).toBe(302);
  });

  it("has the cache's copy answer while the database fails", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await createLink(key, { slug: "printed", url: "https://example.com/printed" });
    await call("GET", "/printed");
    clearMemoryCache();
    missOften();
    const response = await send(buildRequest("GET", "/printed"), { DB: failing });
    expect(response.headers.get("Location")).toBe("https://example.com/printed");
    expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
      expect.objectContaining({ event: "link_read_failed", served: "copy" }),
    ]);
    expect((await send(buildRequest("GET", "/never-seen"), { DB: failing })).status).toBe(503);
  });

  it("knows of a change that was made in its data centre although the replica that answers does not", async () => {
    const { id } = await createLink(key, { slug: "deleted", url: "https://example.com/old" });
    const { results } = await env.DB.prepare("SELECT * FROM links").all();
    const lagging = {
      prepare: (sql: string) => env.DB.prepare(sql),
      withSession: () => ({
        prepare: () => ({ bind: () => ({ all: async () => ({ results, meta: { served_by_primary: false } }) }) }),
      }),
    } as unknown as D1Database;
    expect((await send(buildRequest("GET", "/deleted"), { DB: lagging })).status).toBe(302);
    await call("DELETE", `/api/links/${id}`, { key });
    clearMemoryCache();
    missOften();
    expect((await send(buildRequest("GET", "/deleted"), { DB: lagging })).status).toBe(404);
  });

  it("has the copy answer where the database is slow, and waits for it where there is none", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await createLink(key, { slug: "printed", url: "https://example.com/printed" });
    await createLink(key, { slug: "new", url: "https://example.com/new" });
    await call("GET", "/printed");
    clearMemoryCache();
    missOften();
    const session = env.DB.withSession("first-unconstrained");
    const late = <T>(read: () => Promise<T>) =>
      new Promise<T>((resolve) => setTimeout(() => resolve(read()), LINK_READ_TIMEOUT_WITH_COPY_MS + 200));
    const slow = {
      withSession: () => ({
        prepare: (sql: string) => ({
          bind: (...values: unknown[]) => ({
            first: () =>
              late(() =>
                session
                  .prepare(sql)
                  .bind(...values)
                  .first(),
              ),
            all: () =>
              late(() =>
                session
                  .prepare(sql)
                  .bind(...values)
                  .all(),
              ),
          }),
        }),
      }),
    } as unknown as D1Database;
    const [seen, unseen] = await Promise.all(
      ["/printed", "/new"].map((path) => send(buildRequest("GET", path), { DB: slow })),
    );
    expect(seen?.headers.get("Location")).toBe("https://example.com/printed");
    expect(unseen?.headers.get("Location")).toBe("https://example.com/new");
  });
});
