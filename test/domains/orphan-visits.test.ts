import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  MAX_BUFFERED_ORPHAN_PATHS,
  MAX_ORPHAN_PATHS_PER_DAY,
  ORPHAN_VISITS_KEPT_DAYS,
} from "../../src/click-log/limits.ts";
import type { OrphanVisits } from "../../src/domains/orphan-visits-contract.ts";
import { DAY_MS } from "../../src/limits.ts";
import { buildRequest, call, createAccount, jsonOf, send, type CallOptions } from "../support/api.ts";
import { logOf } from "../support/clicks.ts";
import { createLinkAt, insertDomain } from "../support/domains.ts";

const HOST = "go.acme.test";
const AT = `https://${HOST}`;

let accountId: number;
let key: string;
let id: string;
beforeEach(async () => {
  ({ accountId, key } = await createAccount());
  id = await insertDomain(accountId, HOST);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Visit = string | [url: string, options: CallOptions & { method?: string }];

/** Visits the URLs at once. The flush waits until all are counted. Returns the statuses. */
async function visit(visits: readonly Visit[], own: Partial<Env> = {}): Promise<number[]> {
  const flush = Promise.withResolvers<void>();
  vi.spyOn(scheduler, "wait").mockImplementation(() => flush.promise);
  const bindings = { NOT_RECORDED: "", CLICK_LOG: env.CLICK_LOG, ...own } as unknown as Partial<Env>;
  const statuses = visits.map(async (each) => {
    const [url, { method = "GET", ...options }] = typeof each === "string" ? [each, {}] : each;
    return (await send(buildRequest(method, url, options), bindings)).status;
  });
  // Nothing else takes longer than this.
  setTimeout(flush.resolve, 500);
  return Promise.all(statuses);
}

async function read(query = "", owner = key): Promise<OrphanVisits> {
  const response = await call("GET", `/api/domains/${id}/orphan-visits${query}`, { key: owner });
  return (await jsonOf<{ orphanVisits: OrphanVisits }>(response)).orphanVisits;
}

const countsOf = ({ paths }: OrphanVisits) => paths.map(({ path, visits }) => [path, visits]);

/** What a ClickLog is called with, in place of one. */
function spyLog() {
  const calls: [name: string, visits: unknown[]][] = [];
  const getByName = (name: string) => ({
    countOrphanVisits: (visits: unknown[]) => Promise.resolve(void calls.push([name, visits])),
  });
  return { calls, CLICK_LOG: { getByName } as unknown as Env["CLICK_LOG"] };
}

describe("visits of unknown paths", () => {
  it("have the slug of a link that would be there, with slashes only where links can have them", async () => {
    await env.DB.prepare("UPDATE domains SET nested_slugs = 1").run();
    await visit(["docs/setup", "docs/setup", "visits/x", "a//b", "docs/linux"].map((path) => `${AT}/${path}`));
    const slugs = async () => Object.fromEntries((await read()).paths.map(({ path, slug }) => [path, slug]));
    const found = { "docs/setup": "docs/setup", "docs/linux": "docs/linux", "visits/x": null, "a//b": null };
    expect(await slugs()).toEqual(found);
    await createLinkAt(HOST, key, { slug: "docs/setup" });
    expect(Object.keys(await slugs())).not.toContain("docs/setup");
    await env.DB.batch([
      env.DB.prepare("DELETE FROM links"),
      env.DB.prepare("UPDATE domains SET nested_slugs = 0, path_forwarding = 1"),
    ]);
    expect(await slugs()).toEqual(Object.fromEntries(Object.keys(found).map((path) => [path, null])));
  });

  it("are counted by path, those with the most visits first", async () => {
    await visit([
      `${AT}/sping`,
      `${AT}/sping?utm_source=a`,
      `${AT}/Sping/`,
      `${AT}/docs/setup`,
      `${AT}/f%C3%BCr%20dich`,
    ]);
    await visit([`${AT}/docs/setup`]);
    const { paths, others, from } = await read();
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    expect(paths).toEqual([
      { path: "sping", slug: "sping", visits: 3, lastVisitedOn: today },
      { path: "docs/setup", slug: null, visits: 2, lastVisitedOn: today },
      { path: "für dich", slug: null, visits: 1, lastVisitedOn: today },
    ]);
    expect({ others, from }).toEqual({ others: 0, from: today - (ORPHAN_VISITS_KEPT_DAYS - 1) * DAY_MS });
  });

  it("are told apart by case where the domain is case-sensitive", async () => {
    await env.DB.prepare("UPDATE domains SET case_sensitive = 1").run();
    await visit([`${AT}/Spring`, `${AT}/Spring`, `${AT}/spring`]);
    expect(countsOf(await read())).toEqual([
      ["Spring", 2],
      ["spring", 1],
    ]);
  });

  it("are not counted for crawlers, prefetches, own visits, previews, other methods and files that every host is asked for", async () => {
    const visited: Visit[] = [
      [`${AT}/none`, { headers: { "User-Agent": "Googlebot/2.1" } }],
      [`${AT}/none`, { headers: { "Sec-Purpose": "prefetch" } }],
      [`${AT}/none`, { headers: { Cookie: "__Host-uncounted=1" } }],
      [`${AT}/none`, { method: "HEAD" }],
      `${AT}/none+`,
      ...[
        "robots.txt",
        "favicon.ico",
        ".well-known/security.txt",
        ".env",
        "a/.git/config",
        "wp-login.php",
        "wp-admin",
      ].map((path) => `${AT}/${path}`),
      ...["index.php", "sitemap.xml", "ads.txt", "apple-touch-icon.png", "site.webmanifest"].map(
        (path) => `${AT}/${path}`,
      ),
    ];
    const { calls, CLICK_LOG } = spyLog();
    await visit([...visited, `${AT}/one`], { CLICK_LOG });
    expect(calls).toEqual([[`account:${accountId}`, [[HOST, "one", 1]]]]);
  });

  it("are not counted at the service, at domains of nobody, and where they are turned off", async () => {
    await insertDomain(accountId, "pending.test", { status: "pending" });
    const { calls, CLICK_LOG } = spyLog();
    await visit(["/none", "https://pending.test/none", "https://nobodys.test/none"], { CLICK_LOG });
    await visit([`${AT}/none`], { CLICK_LOG, NOT_RECORDED: "orphan-visits" });
    expect(calls).toEqual([]);
  });

  it("do not hold up a response, and are lost where the ClickLog fails", async () => {
    const getByName = () => ({ countOrphanVisits: () => Promise.reject(new Error("overloaded")) });
    expect(await visit([`${AT}/none`], { CLICK_LOG: { getByName } as unknown as Env["CLICK_LOG"] })).toEqual([404]);
    await visit([`${AT}/later`]);
    expect(countsOf(await read())).toEqual([["later", 1]]);
  });

  it("that have a link by now are left out, until it is deleted", async () => {
    await visit([`${AT}/sping`, `${AT}/other`]);
    const link = await createLinkAt(HOST, key, { slug: "sping" });
    expect(countsOf(await read())).toEqual([["other", 1]]);
    await call("DELETE", `/api/links/${link.id}`, { key });
    expect((await read()).paths).toHaveLength(2);
  });

  it("are of the account that has the domain", async () => {
    await visit([`${AT}/none`]);
    const other = await createAccount();
    const response = await call("GET", `/api/domains/${id}/orphan-visits`, { key: other.key });
    expect(response.status).toBe(403);
  });

  it.each(["0", "31", "x"])("are refused for %s days", async (days) => {
    expect((await call("GET", `/api/domains/${id}/orphan-visits?days=${days}`, { key })).status).toBe(400);
  });
});

describe("a flood of unknown paths", () => {
  it("is one call in a flush, with a bounded number of paths", async () => {
    const { calls, CLICK_LOG } = spyLog();
    const paths = Array.from({ length: 3 * MAX_BUFFERED_ORPHAN_PATHS }, (_, number) => `${AT}/a/${number}`);
    await visit([...paths, ...paths], { CLICK_LOG });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[1]).toHaveLength(MAX_BUFFERED_ORPHAN_PATHS);
  });

  it("is one row a day, and takes the place of no path that is visited more", async () => {
    const log = logOf(accountId);
    await log.countOrphanVisits([[HOST, "sping", 2]]);
    for (let flushes = 0; flushes < 3; flushes++)
      await log.countOrphanVisits(
        Array.from({ length: MAX_ORPHAN_PATHS_PER_DAY }, (_, n): [string, string, number] => [
          HOST,
          `${flushes}/${n}`,
          1,
        ]),
      );
    await log.countOrphanVisits([[HOST, "", 7]]);
    const rows = await runInDurableObject(log, (_, { storage: { kv } }) => [...kv.list({ prefix: "orphans:" })].length);
    const { paths, others } = await read();
    expect(rows).toBe(1);
    expect(paths).toHaveLength(MAX_ORPHAN_PATHS_PER_DAY);
    expect(paths[0]).toMatchObject({ path: "sping", visits: 2 });
    expect(paths[1]?.path).toMatch(/^2/);
    expect(others).toBe(2 * MAX_ORPHAN_PATHS_PER_DAY + 1 + 7);
  });
});

describe("stored visits of unknown paths", () => {
  const NOW = Date.UTC(2030, 5, 15, 12);
  const stored = () =>
    runInDurableObject(logOf(accountId), (_, { storage: { kv } }) => [...kv.list({ prefix: "orphans:" })].length);

  it("are deleted after their time, and the alarm ends with them", async () => {
    const log = logOf(accountId);
    for (const day of [0, 1]) {
      vi.useFakeTimers({ toFake: ["Date"], now: NOW + day * DAY_MS });
      await log.countOrphanVisits([[HOST, "none", 1]]);
    }
    expect((await log.readOrphanVisits(HOST, 1)).paths).toMatchObject([{ visits: 1 }]);
    expect((await log.readOrphanVisits(HOST, 2)).paths).toMatchObject([{ visits: 2 }]);
    const rows: number[] = [];
    for (let day = 2; day < ORPHAN_VISITS_KEPT_DAYS + 5; day++) {
      vi.setSystemTime(NOW + day * DAY_MS);
      const at = await runInDurableObject(log, (_, { storage }) => storage.getAlarm());
      if (at !== null && at <= Date.now()) await runDurableObjectAlarm(log);
      rows.push(await stored());
    }
    expect(rows.indexOf(1)).toBe(ORPHAN_VISITS_KEPT_DAYS - 2);
    expect(rows.at(-1)).toBe(0);
    expect(await runInDurableObject(log, (_, { storage }) => storage.getAlarm())).toBeNull();
  });

  it("are not stored after the account is purged", async () => {
    const log = logOf(accountId);
    await log.countOrphanVisits([[HOST, "none", 1]]);
    await log.destroy();
    await log.countOrphanVisits([[HOST, "none", 1]]);
    expect(await stored()).toBe(0);
  });
});
