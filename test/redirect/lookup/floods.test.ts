import { env } from "cloudflare:workers";
import { setImmediate } from "node:timers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { pause } from "../../../src/platform/lib/timeout.ts";
import { findTakenDownHosts } from "../../../src/redirect/lookup/taken-down-hosts.ts";
import {
  EMPTY_READS_AT_ONCE,
  EMPTY_READS_PER_SECOND,
  LINK_READ_TIMEOUT_MS,
  MAX_LOOKUPS_PER_READ,
  MAX_READS_UNDER_WAY,
  MAX_WAITING_LOOKUPS,
  REFUSED_LOOKUP_RETRY_SECONDS,
  UNKNOWN_SLUGS_PER_CLIENT,
} from "../../../src/redirect/limits.ts";
import { accountId, buildRequest, call, createLink, key, send, startAccount } from "../../support/api.ts";
import { freshAddress } from "../../support/address.ts";
import { interceptD1, statementsOf, whileHeld } from "../../support/d1-client.ts";
import { createLinkAt, insertDomain } from "../../support/domains.ts";
import {
  cacheLinks,
  flood,
  insertLinks,
  statusOf,
  times,
  unknownSlug,
  visitAll,
  visitTogether,
  type Visit,
} from "./flood-support.ts";

// Floods of unknown slugs. The numbers of look-ups are exact.

const HOST = "go.acme.test";
const START = Date.UTC(2026, 0, 1);

let warnings: string[];
beforeEach(async () => {
  await startAccount();
  useFakeTimers("Date");
  // So that no visit reads them.
  await findTakenDownHosts({ env });
  warnings = [];
  vi.spyOn(console, "warn").mockImplementation((line: string) => void warnings.push(line));
});

function useFakeTimers(...toFake: ("Date" | "setTimeout" | "clearTimeout")[]): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake });
  vi.setSystemTime(START);
}

async function waitWhile(holds: () => boolean): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (holds());
}

/** The round trips for so many look-ups that begin at once: the first ones wait for nothing. */
const roundTripsOf = (lookups: number) =>
  MAX_READS_UNDER_WAY + Math.ceil((lookups - MAX_READS_UNDER_WAY) / MAX_LOOKUPS_PER_READ);

describe("links that no cache has, beside unknown slugs", () => {
  const LINKS = 60;

  it.each([50, 100, 500].flatMap((unknown) => [1, 64, 10_000].map((addresses) => ({ unknown, addresses }))))(
    "all answer beside $unknown of $addresses addresses, with one row for each link",
    async ({ unknown, addresses }) => {
      const slugs = await insertLinks(accountId, LINKS);
      const flooding = times(Math.min(addresses, unknown), freshAddress);
      const visits = times(unknown, (n): Visit => [`/${unknownSlug()}`, flooding[n % flooding.length] ?? ""]);
      for (const [n, slug] of slugs.entries())
        visits.splice(Math.floor((n * visits.length) / LINKS), 0, [`/${slug}`, freshAddress()]);
      const { statuses, statements, roundTrips, rowsRead } = await visitTogether(visits);
      const lookedUp = Math.min(unknown, flooding.length * UNKNOWN_SLUGS_PER_CLIENT);
      const refused = unknown - lookedUp;
      expect(statuses).toEqual({ 302: LINKS, 404: lookedUp, ...(refused > 0 && { 429: refused }) });
      expect([statements.length, rowsRead]).toEqual([LINKS + lookedUp, LINKS]);
      expect(roundTrips).toBe(roundTripsOf(LINKS + lookedUp));
    },
  );

  it("wait for few reads, and reads that find nothing keep to their rate", async () => {
    const [steps, stepMs, unknownPerStep] = [100, 20, 10];
    useFakeTimers("Date", "setTimeout", "clearTimeout");
    vi.spyOn(scheduler, "wait").mockImplementation(pause);
    let [roundTrips, underWay, mostUnderWay] = [0, 0, 0];
    const visits: Promise<number>[] = [];
    await interceptD1(
      async (_, read) => {
        roundTrips++;
        mostUnderWay = Math.max(mostUnderWay, ++underWay);
        return read().finally(() => underWay--);
      },
      async () => {
        for (let step = 0; step < steps; step++) {
          visits.push(...flood(unknownPerStep).map(([path, address]) => statusOf(path, address)));
          await waitWhile(() => underWay > 0);
          await vi.advanceTimersByTimeAsync(stepMs);
        }
        await vi.runAllTimersAsync();
        expect(new Set(await Promise.all(visits))).toEqual(new Set([404]));
      },
    );
    const seconds = (steps * stepMs) / 1_000;
    expect(roundTrips).toBeLessThanOrEqual(
      seconds * EMPTY_READS_PER_SECOND + EMPTY_READS_AT_ONCE + MAX_READS_UNDER_WAY,
    );
    expect(mostUnderWay).toBeLessThanOrEqual(MAX_READS_UNDER_WAY);
  });
});

describe("a flood of unknown slugs, one from each address", () => {
  it("is answered in few round trips, also at a custom domain and at hosts that are no domain", async () => {
    await insertDomain(accountId, HOST, { not_found_url: "https://example.com/lost" });
    await call("GET", `https://${HOST}/${unknownSlug()}`);
    for (const [visits, status] of [
      [flood(300), 404],
      [flood(300, `https://${HOST}`), 302],
      [times(300, (n): Visit => [`https://host-${n}.test/`, freshAddress()]), 404],
    ] as const) {
      const { statuses, roundTrips, statements } = await visitTogether(visits);
      expect([statuses, statements.length]).toEqual([{ [status]: 300 }, 300]);
      expect(roundTrips).toBe(roundTripsOf(300));
    }
  });

  it("is read again at the primary if a replica answers, also in few round trips", async () => {
    const allAtReplica = Promise.withResolvers<void>();
    const sent = { nearest: [] as number[], primary: [] as number[] };
    const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
    const database = (source: "nearest" | "primary") => {
      const answer = async (count: number) => {
        sent[source].push(count);
        if (sumOf(sent.nearest) === 300) allAtReplica.resolve();
        if (source === "primary") await allAtReplica.promise;
        return times(count, () => ({ results: [], meta: { served_by_primary: source === "primary" } }));
      };
      return {
        prepare: () => ({ bind: () => ({ all: async () => (await answer(1))[0] }) }),
        batch: (statements: unknown[]) => answer(statements.length),
      };
    };
    const DB = { ...database("primary"), withSession: () => database("nearest") } as unknown as D1Database;
    await Promise.all(flood(300).map(([path, address]) => send(buildRequest("GET", path, { address }), { DB })));
    expect([sumOf(sent.nearest), sumOf(sent.primary)]).toEqual([300, 300]);
    expect(sent.primary).toHaveLength(roundTripsOf(300));
  });

  it("makes two look-ups for all who ask for one slug at once: the second is for those who came after the first", async () => {
    expect(await visitTogether(times(300, () => ["/mistyped", freshAddress()]))).toMatchObject({
      statuses: { 404: 300 },
      roundTrips: 2,
    });
    await createLink(key, { slug: "known" });
    expect(await visitTogether(times(300, () => ["/known", freshAddress()]))).toMatchObject({
      statuses: { 302: 300 },
      roundTrips: 1,
    });
  });

  it("does not keep a link from being found that is created after it was asked for", async () => {
    const address = freshAddress();
    await insertDomain(accountId, HOST);
    for (const path of ["/later", `https://${HOST}/later`]) expect(await statusOf(path, address)).toBe(404);
    await createLink(key, { slug: "later" });
    await createLinkAt(HOST, key, { slug: "later" });
    const { statuses } = await visitAll([...flood(300), ["/later", address], [`https://${HOST}/later`, address]]);
    expect(statuses).toEqual({ 302: 2, 404: 300 });
  });
});

describe("a flood while the database does not respond", () => {
  const isRead = (statements: readonly string[]) => statements.some((sql) => sql.includes("slug_key = ?3"));

  /** Runs while as many look-ups wait as may. Nothing times out before it has ended. */
  async function whileFull(run: () => Promise<void>): Promise<void> {
    useFakeTimers("Date", "setTimeout", "clearTimeout");
    let answers: Promise<number>[] = [];
    await whileHeld(isRead, async () => {
      const places = MAX_READS_UNDER_WAY + MAX_WAITING_LOOKUPS;
      answers = flood(places + 1).map(([path, address]) => statusOf(path, address));
      // The others wait.
      expect(await Promise.race(answers)).toBe(503);
      await run();
      useFakeTimers("Date");
    });
    expect((await Promise.all(answers)).filter((status) => status !== 404)).toEqual([503]);
  }

  it("gets a page that tries again by itself for what cannot wait, and never another site", async () => {
    await insertDomain(accountId, HOST, { not_found_url: "https://example.com/lost" });
    expect((await call("GET", `https://${HOST}/${unknownSlug()}`)).headers.get("Location")).toBe(
      "https://example.com/lost",
    );
    await whileFull(async () => {
      for (const url of [`/${unknownSlug()}`, `https://${HOST}/${unknownSlug()}`, `/${unknownSlug()}+`]) {
        const page = await call("GET", url, { headers: { Accept: "text/html" } });
        expect(page.status).toBe(503);
        const wait = page.headers.get("Retry-After") ?? "";
        expect(Number(wait)).toBeGreaterThanOrEqual(1);
        expect(Number(wait)).toBeLessThanOrEqual(REFUSED_LOOKUP_RETRY_SECONDS);
        expect(page.headers.get("Location")).toBeNull();
        const html = await page.text();
        expect(html).toContain(`<meta http-equiv="refresh" content="${wait}">`);
        expect(html).toContain("This page tries again by itself.");
      }
      const form = await call("POST", `/${unknownSlug()}`, {
        body: "password=secret",
        headers: { Accept: "text/html" },
      });
      expect(form.status).toBe(503);
      expect(await form.text()).not.toContain("refresh");
      const json = await call("GET", `/${unknownSlug()}`, { headers: { Accept: "application/json" } });
      expect(await json.json()).toEqual({ error: expect.any(String), code: "unavailable" });
    });
    expect(warnings.filter((line) => line.includes("lookups_refused"))).toHaveLength(1);
  });

  it("does not touch links that a cache has, and has no link be taken for missing", async () => {
    await createLink(key, { slug: "known" });
    await cacheLinks(key);
    await whileFull(async () => {
      for (const path of ["/in-memory", "/at-the-edge"]) expect(await statusOf(path, freshAddress())).toBe(302);
      expect(await statusOf("/known", freshAddress())).toBe(503);
    });
    expect(await statusOf("/known", freshAddress())).toBe(302);
  });

  it("is over for new look-ups when those before are too old, although nothing was answered", async () => {
    const gate = Promise.withResolvers<void>();
    let isHeld = true;
    let answers: Promise<number>[] = [];
    useFakeTimers("Date", "setTimeout", "clearTimeout");
    await interceptD1(
      async (sql, read) => {
        if (isHeld && isRead(statementsOf(sql))) await gate.promise;
        return read();
      },
      async () => {
        answers = flood(MAX_READS_UNDER_WAY + MAX_WAITING_LOOKUPS + 1).map(([path, address]) =>
          statusOf(path, address),
        );
        expect(await Promise.race(answers)).toBe(503);
        isHeld = false;
        vi.setSystemTime(START + LINK_READ_TIMEOUT_MS);
        expect(await statusOf(`/${unknownSlug()}`, freshAddress())).toBe(404);
        gate.resolve();
        const statuses = await Promise.all(answers);
        expect(statuses.filter((status) => status !== 503)).toEqual(times(MAX_READS_UNDER_WAY, () => 404));
      },
    );
  });

  it("has no slugs counted for a client that it was refused", async () => {
    const address = freshAddress();
    await whileFull(async () => {
      for (let n = 0; n <= UNKNOWN_SLUGS_PER_CLIENT; n++)
        expect(await statusOf(`/${unknownSlug()}`, address)).toBe(503);
    });
    expect(await statusOf(`/${unknownSlug()}`, address)).toBe(404);
  });
});
