import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { findTakenDownHosts } from "#src/redirect/lookup/taken-down-hosts.ts";
import type { Link } from "../../src/links/contract.ts";
import { call, createAccount, createLink, jsonOf } from "../support/api.ts";
import { measureD1, type Measured } from "../support/d1-meter.ts";
import { insertManyLinks } from "../support/many-links.ts";

async function list(key: string, query = ""): Promise<{ links: Link[]; nextCursor: string | null }> {
  const response = await call("GET", `/api/links${query}`, { key });
  expect(response.status).toBe(200);
  return jsonOf(response);
}

describe("the cost in the database", () => {
  // The key, 100 links, and one more, which shows that there is another page. Links with and without clicks are merged, so the
  // next one of the others is read too.
  const ROWS_OF_ALL = 1 + 101 + 1;
  // The key, and an entry of the search index and a row of each link.
  const ROWS_OF_SEARCH = 1 + 2 * 101;
  // Due links of the account are made expired, with their events, before they are listed.
  const ROWS_OF_EXPIRED = ROWS_OF_SEARCH + 15;

  it.each([
    ["", ROWS_OF_ALL],
    ["&order=asc", ROWS_OF_ALL],
    ["&status=active", ROWS_OF_SEARCH],
    ["&domain=tern.test", ROWS_OF_SEARCH],
    ["&domain=tern.test&status=active", ROWS_OF_SEARCH],
    ["&tag=common", ROWS_OF_SEARCH],
    ["&search=example", ROWS_OF_SEARCH],
    ["&search=page+example", ROWS_OF_SEARCH],
    ["&search=ge+example", ROWS_OF_SEARCH],
    ["&search=example&tag=common&status=active&domain=tern.test&order=asc", ROWS_OF_SEARCH],
    ["&createdBefore=2040-01-01", ROWS_OF_ALL],
    ["&createdAfter=2020-01-01&tag=common&order=asc", ROWS_OF_SEARCH],
    ["&status=expired", ROWS_OF_EXPIRED],
    ["&status=expired&tag=common", ROWS_OF_EXPIRED],
  ])("of a page of 100 with ?%s is the same at every size of the account", async (query, budget) => {
    const { key, accountId } = await createAccount();
    const other = await createAccount();
    await call("GET", "/api/keys", { key });
    const status = query.includes("expired") ? "expired" : "active";
    for (const links of [1_000, 9_000]) {
      await insertManyLinks(env.DB, accountId, links, status);
      await insertManyLinks(env.DB, other.accountId, 1_000);
      const { nextCursor } = await list(key, `?limit=100${query}`);
      vi.useFakeTimers({ toFake: ["Date"] }); // `lastUsedAt` of the key is written once a minute
      await call("GET", "/api/keys", { key });
      const cost = await measureD1(() => list(key, `?limit=100${query}&cursor=${nextCursor}`));
      vi.useRealTimers();
      expect(cost.rowsRead).toBeLessThanOrEqual(budget);
      expect(cost.roundTrips).toBe(2);
    }
  });

  it.each(["clicks", "lastClickedAt"].flatMap((sort) => [0, 4].map((imported) => [sort, imported] as const)))(
    "of each page in order of %s is the same, also of links without clicks and with up to %i imported clicks",
    async (sort, imported) => {
      const { key, accountId } = await createAccount();
      await insertManyLinks(env.DB, accountId, 700);
      await env.DB.prepare(
        "UPDATE links SET clicks = max(0, (seq >> 21) % 9 - 4), last_clicked_at = max(0, (seq >> 21) % 9 - 4)",
      ).run();
      await env.DB.prepare("UPDATE links SET imported_clicks = (seq >> 21) % (1 + ?1)").bind(imported).run();
      vi.useFakeTimers({ toFake: ["Date"] });
      await call("GET", "/api/keys", { key });
      for (const order of ["asc", "desc"]) {
        const values: number[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const query: string = `?limit=100&sort=${sort}&order=${order}${cursor === "" ? "" : `&cursor=${cursor}`}`;
          let page: { links: Link[]; nextCursor: string | null } = { links: [], nextCursor: null };
          const cost = await measureD1(async () => (page = await list(key, query)));
          // Links with as many clicks as the last one of the page before, and with fewer, are merged too.
          expect(cost.rowsRead).toBeLessThanOrEqual(ROWS_OF_ALL + 2);
          values.push(
            ...page.links.map(({ clicks, importedClicks, lastClickedAt }) =>
              sort === "clicks" ? clicks + importedClicks : (lastClickedAt ?? 0),
            ),
          );
          cursor = page.nextCursor;
        }
        expect(values).toHaveLength(700);
        expect(values).toEqual(values.toSorted((a, b) => (order === "asc" ? a - b : b - a)));
      }
      vi.useRealTimers();
    },
  );

  it("of a page of deleted links is the same at every number of them", async () => {
    const { key, accountId } = await createAccount();
    const other = await createAccount();
    for (const links of [1_000, 3_000]) {
      for (const id of [accountId, other.accountId]) await insertManyLinks(env.DB, id, links);
      await env.DB.prepare(
        `INSERT INTO deleted_links (seq, id, account_id, deleted_at, link)
         SELECT seq, id, account_id, ?1 + seq % 3, json_object('id', id, 'domain', '', 'slug', slug) FROM links`,
      )
        .bind(Date.now())
        .run();
      await env.DB.prepare("DELETE FROM links").run();
      const { nextCursor } = await list(key, "?deleted=only&limit=100");
      vi.useFakeTimers({ toFake: ["Date"] });
      await call("GET", "/api/keys", { key });
      const cost = await measureD1(() => list(key, `?deleted=only&limit=100&cursor=${nextCursor}`));
      vi.useRealTimers();
      // The key, and an entry of the index and a row of each link.
      expect(cost.rowsRead).toBeLessThanOrEqual(1 + 2 * 101);
    }
  });

  it("of filters that match few links depends only on the matches", async () => {
    const { key, accountId } = await createAccount();
    await insertManyLinks(env.DB, accountId, 5_000);
    await createLink(key, { slug: "needle", tags: ["common", "rare"], maxClicks: 1 });
    vi.useFakeTimers({ toFake: ["Date"] });
    await call("GET", "/needle");
    await call("GET", "/api/keys", { key });
    for (const query of [
      "search=needle",
      "search=example+needle",
      "search=ne+needle",
      "tag=rare",
      "tag=common&status=expired",
      "search=example&status=expired",
    ]) {
      const cost = await measureD1(async () =>
        expect((await list(key, `?${query}`)).links).toMatchObject([{ slug: "needle" }]),
      );
      expect(cost.rowsRead).toBeLessThanOrEqual(1 + 1 + (query.includes("expired") ? 25 : 4));
    }
  });

  it("of creating, reading, updating and deleting a link is the same at every size of the account", async () => {
    const { key, accountId } = await createAccount();
    const costs = [];
    await createLink(key);
    for (const [index, links] of [100, 3_000].entries()) {
      await insertManyLinks(env.DB, accountId, links);
      // Each second in which the account created links costs a read, until a later creation forgets it.
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + (index + 1) * 600_000 });
      await call("GET", "/api/keys", { key });
      await keepHosts();
      costs.push(await measureOneLink(key));
      vi.useRealTimers();
    }
    const [small, large] = costs;
    expect(large).toEqual(small);
    expect(small).toEqual([
      { roundTrips: 2, rowsRead: 18, rowsWritten: 8 },
      { roundTrips: 2, rowsRead: 2, rowsWritten: 0 },
      { roundTrips: 3, rowsRead: 10, rowsWritten: 4 },
      // The read of the link runs beside the call of the ClickLog.
      { roundTrips: 4, rowsRead: 29, rowsWritten: 10 },
    ]);
  });
});

it.each([1, 10, 100])(
  "the cost of %i links at once depends only on their number, in a constant number of statements",
  async (count) => {
    const { key, accountId } = await createAccount();
    await insertManyLinks(env.DB, accountId, 2_000);
    vi.useFakeTimers({ toFake: ["Date"] });
    await call("GET", "/api/keys", { key });
    await keepHosts();
    const links = Array.from({ length: count }, (_, n) => ({
      url: `https://host-${n}.example/`,
      slug: `c-${n}`,
      externalId: `e-${n}`,
    }));
    let ids: string[] = [];
    const measured = [
      await measureD1(async () => {
        const response = await call("POST", "/api/links/bulk", { key, body: { links } });
        ids = (await jsonOf<{ results: { link: Link }[] }>(response)).results.map(({ link }) => link.id);
      }),
      await measureD1(() => call("PATCH", "/api/links/bulk", { key, body: { ids, changes: { title: "x" } } })),
      await measureD1(() => call("DELETE", "/api/links/bulk", { key, body: { ids } })),
    ];
    expect(measured.map(({ roundTrips, statements }) => [roundTrips, statements.length])).toEqual([
      [2, 1 + 7],
      [3, 1 + 6],
      [4, 1 + 8],
    ]);
    const reads = count === 1 ? [15, 10, 16] : [4 + 12 * count, 4 + 13 * count, 4 + 19 * count];
    expect(measured.map(({ rowsRead }) => rowsRead)).toEqual(reads);
    expect(measured.map(({ rowsWritten }) => rowsWritten)).toEqual([1 + 5 * count, 1 + 3 * count, 1 + 7 * count]);
  },
);

/** An isolate reads the hosts that are taken down once in 10 seconds. */
const keepHosts = () => findTakenDownHosts({ env });

/** Measures creating a link with every indexed field, reading, updating and deleting it. */
async function measureOneLink(key: string): Promise<Partial<Measured>[]> {
  const costs: Measured[] = [];
  let link: Link | undefined;
  costs.push(
    await measureD1(
      async () =>
        (link = await createLink(key, { slug: `cost-${crypto.randomUUID()}`, externalId: "e", tags: ["a", "b"] })),
    ),
  );
  const path = `/api/links/${link?.id}`;
  costs.push(await measureD1(() => call("GET", path, { key })));
  costs.push(await measureD1(() => call("PATCH", path, { key, body: { title: "x" } })));
  costs.push(await measureD1(() => call("DELETE", path, { key })));
  return costs.map(({ roundTrips, rowsRead, rowsWritten }) => ({ roundTrips, rowsRead, rowsWritten }));
}
