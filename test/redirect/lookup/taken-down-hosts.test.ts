import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as memoryCache from "../../../src/redirect/lookup/memory-cache.ts";
import { forgetTakenDownHosts } from "../../../src/redirect/lookup/taken-down-hosts.ts";
import {
  ENTRY_FRESH_MS,
  ENTRY_SERVED_MS,
  LINK_READ_RETRY_MS,
  TAKEN_DOWN_HOSTS_TTL_MS,
} from "../../../src/redirect/limits.ts";
import { packVerdict } from "../../../src/redirect/verdict.ts";
import { buildRequest, createLink, key, send, startAccount } from "../../support/api.ts";
import { interceptD1 } from "../../support/d1-client.ts";

// The takedowns are made elsewhere, and no link has a mark of them.

beforeEach(async () => {
  await startAccount();
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});

const GOOD = "https://example.com/";
const BAD = "https://login.evil.dev/";

async function takeDown(target: string, kind = "host", reversedAt: number | null = null): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by, reversed_at)
     VALUES (?1, ?2, ?3, ?3, ?4, 1, 'u', ?5)`,
  )
    .bind(
      crypto.randomUUID(),
      kind,
      target,
      packVerdict({ state: "blocked", reason: "phishing", since: 1 }, false),
      reversedAt,
    )
    .run();
}

const reverseAll = () => env.DB.prepare("UPDATE takedowns SET reversed_at = 2").run();

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** From here on, requests are those of another isolate in the data centre. */
function changeIsolate(): void {
  memoryCache.clear();
  forgetTakenDownHosts();
}

async function visit(slug: string, bindings: Partial<Env> = {}, headers: Record<string, string> = {}): Promise<number> {
  return (await send(buildRequest("GET", `/${slug}`, { headers }), bindings)).status;
}

const failing = {
  DB: new Proxy(env.DB, {
    get: () => () => {
      throw new Error("D1 is down");
    },
  }),
};

/** What D1 does for the first visit in an isolate. */
async function costOf(slug: string) {
  changeIsolate();
  const cost = { status: 0, roundTrips: 0, rowsRead: 0 };
  await interceptD1(
    async (_, read) => {
      const output = await read();
      cost.roundTrips++;
      for (const { meta } of [output].flat() as D1Result[]) cost.rowsRead += meta.rows_read;
      return output;
    },
    async () => void (cost.status = await visit(slug)),
  );
  return cost;
}

describe("a takedown of a host", () => {
  it("stops a link that no cache has at its first visit", async () => {
    await createLink(key, { slug: "bad", url: BAD });
    await createLink(key, { slug: "good", url: "https://notevil.dev/" });
    await takeDown("evil.dev");
    changeIsolate();
    expect([await visit("bad"), await visit("good")]).toEqual([410, 302]);
  });

  it.each([
    { url: GOOD, expiredUrl: BAD },
    { url: GOOD, ios: BAD },
    { url: GOOD, android: "https://%65vil.dev/app" },
    { url: GOOD, geo: { DE: BAD } },
    { url: GOOD, rules: [{ url: "https://ＥＶＩＬ.dev", countries: ["DE"] }] },
    { url: "http://evil.dev.:8080/" },
  ])("stops a link with %j for all visitors", async (fields) => {
    await createLink(key, { slug: "bad", ...fields });
    await takeDown("evil.dev");
    changeIsolate();
    expect(await visit("bad")).toBe(410);
  });

  it.each(["192.0.2.1", "[::ffff:c000:201]", "[::ffff:0:192.0.2.1]", "[64:ff9b::c000:201]"])(
    "stops a link to the address 192.0.2.1 as %s",
    async (host) => {
      await createLink(key, { slug: "bad", url: GOOD });
      await env.DB.prepare("UPDATE links SET url = ?1").bind(`https://${host}/`).run();
      await takeDown("192.0.2.1");
      changeIsolate();
      expect(await visit("bad")).toBe(410);
    },
  );

  const steps: [name: string, between: () => void][] = [
    ["in the memory of an isolate", () => undefined],
    ["in the edge cache, for other isolates", changeIsolate],
    ["in the edge cache, for an isolate that has a list", memoryCache.clear],
  ];
  it.each(steps)("stops a link %s after 32 seconds, and its reversal lets it go as soon", async (_, between) => {
    await createLink(key, { slug: "bad", url: BAD });
    const watch = async (before: number, after: number) => {
      const changedAt = Date.now();
      let last = before;
      for (; Date.now() < changedAt + ENTRY_SERVED_MS + ENTRY_FRESH_MS; advance(700)) {
        between();
        const status = await visit("bad");
        if (Date.now() >= changedAt + ENTRY_SERVED_MS) expect(status).toBe(after);
        // It does not change back.
        if (last === after) expect(status).toBe(after);
        last = status;
      }
    };
    for (let visits = 0; visits < 10; visits++) {
      between();
      expect(await visit("bad")).toBe(302);
      advance(1_000);
    }
    await takeDown("evil.dev");
    await watch(302, 410);
    await reverseAll();
    await watch(410, 302);
  });

  it("stops a link that is fresh in the edge cache beside a list that is too old", async () => {
    await createLink(key, { slug: "other", url: GOOD });
    await createLink(key, { slug: "bad", url: BAD });
    await visit("other");
    advance(TAKEN_DOWN_HOSTS_TTL_MS - 1);
    await visit("bad");
    await takeDown("evil.dev");
    advance(ENTRY_FRESH_MS - TAKEN_DOWN_HOSTS_TTL_MS + 1);
    expect(await costOf("bad")).toEqual({ status: 410, roundTrips: 1, rowsRead: 1 });
  });

  it.each([
    ["of this isolate", () => undefined],
    ["of the edge cache", changeIsolate],
  ])("stops a stale copy that is served because the database fails, by the last list %s", async (_, between) => {
    await createLink(key, { slug: "other", url: GOOD });
    await createLink(key, { slug: "bad", url: BAD });
    expect(await visit("bad")).toBe(302);
    await takeDown("evil.dev");
    advance(TAKEN_DOWN_HOSTS_TTL_MS);
    await visit("other");
    advance(20 * ENTRY_FRESH_MS);
    between();
    for (let time = 0; time < 3; time++) {
      expect([await visit("bad", failing), await visit("other", failing)]).toEqual([410, 302]);
      advance(LINK_READ_RETRY_MS - 1);
    }
  });

  it("does not keep visitors from other links while the list cannot be read", async () => {
    await createLink(key, { slug: "good", url: GOOD });
    await visit("good");
    advance(ENTRY_FRESH_MS - 1);
    await (await caches.open("links-8")).delete("https://links.cache/taken-down-hosts");
    changeIsolate();
    expect(await visit("good", failing)).toBe(302);
  });

  it("stops a link with a limit of visits, and uses none of them", async () => {
    await createLink(key, { slug: "bad", url: BAD, maxClicks: 2 });
    expect(await visit("bad")).toBe(302);
    await takeDown("evil.dev");
    advance(ENTRY_FRESH_MS);
    for (let time = 0; time < 3; time++) expect(await visit("bad")).toBe(410);
    expect(await env.DB.prepare("SELECT visits FROM links").first("visits")).toBe(1);
    await reverseAll();
    advance(ENTRY_FRESH_MS);
    expect(await visit("bad")).toBe(302);
  });

  it("is not looked for while a link is in the memory cache", async () => {
    await createLink(key, { slug: "good", url: GOOD });
    await takeDown("evil.dev");
    await visit("good");
    const caching = vi.spyOn(caches, "open").mockRejectedValue(new Error("must not be used"));
    const prepared = vi.spyOn(env.DB, "prepare");
    const sessions = vi.spyOn(env.DB, "withSession");
    expect(await visit("good")).toBe(302);
    expect([caching.mock.calls, prepared.mock.calls, sessions.mock.calls]).toEqual([[], [], []]);
  });
});

it("no row more is read while no host is taken down, whatever else is", async () => {
  await createLink(key, { slug: "link", url: GOOD });
  for (const kind of ["account", "domain", "link"]) await takeDown("x", kind);
  for (let time = 0; time < 5; time++) await takeDown("evil.dev", "host", time + 1);
  // At the same time as the link.
  expect(await costOf("link")).toEqual({ status: 302, roundTrips: 2, rowsRead: 1 });
  expect(await costOf("link")).toEqual({ status: 302, roundTrips: 0, rowsRead: 0 });
  advance(TAKEN_DOWN_HOSTS_TTL_MS);
  expect(await costOf("link")).toEqual({ status: 302, roundTrips: 1, rowsRead: 0 });
  expect(await costOf("link")).toEqual({ status: 302, roundTrips: 0, rowsRead: 0 });
});
