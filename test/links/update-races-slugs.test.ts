import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { createAccount } from "../support/api.ts";
import { handOver, insertDomain } from "../support/domains.ts";
import { accountId, key, service, startService } from "../webhooks/support.ts";
import { api, change, interleave, listen, rowOf, storedEvents } from "./races-support.ts";
import { DOMAIN } from "./support.ts";

let theirs: { key: string; accountId: number };

beforeEach(async () => {
  await startService();
  theirs = await createAccount();
});

const MINE = "https://example.com/mine";
const THEIRS = "https://example.com/theirs";

const sql = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .run();

/** Where visitors of the slug get to; null: nowhere. */
async function destinationOf(slug: string, origin = ""): Promise<string | null> {
  return (await service.call("GET", `${origin}/${slug}`)).headers.get("Location");
}

describe("a domain that changes between reading and writing", () => {
  const LOSSES: [name: string, lose: () => Promise<unknown>][] = [
    ["is deleted", () => sql("DELETE FROM domains WHERE domain = ?1", DOMAIN)],
    ["is no longer verified", () => sql("UPDATE domains SET status = 'pending' WHERE domain = ?1", DOMAIN)],
    ["is verified by another account", () => handOver(DOMAIN, theirs.accountId)],
    [
      "is verified by another account beside that of the first",
      async () => {
        await sql("UPDATE domains SET status = 'pending' WHERE domain = ?1", DOMAIN);
        await insertDomain(theirs.accountId, DOMAIN);
      },
    ],
  ];

  it.each(LOSSES)("gets no link if it %s", async (_, lose) => {
    await insertDomain(accountId, DOMAIN);
    const { id } = await service.createLink(key, { slug: "moved", url: MINE });
    await listen(key);
    const before = await rowOf(id);
    const { answer, writes } = await interleave(lose, () => change(key, id, { domain: DOMAIN, title: "New" }));
    expect(answer).toMatchObject({ status: 403, details: [{ code: "domain_refused" }] });
    expect(writes).toEqual([1]);
    expect(await rowOf(id)).toEqual(before);
    expect(await storedEvents()).toEqual([]);
    expect(await destinationOf("moved")).toBe(MINE);
  });

  it.each([
    [0, 1, "Moved", ["Moved"]],
    [1, 0, "moved", ["Moved", "moved", "MOVED"]],
  ] as const)("gets the link with its new case rule, %i before and %i after", async (before, after, slugKey, slugs) => {
    await insertDomain(accountId, DOMAIN, { case_sensitive: before });
    const { id } = await service.createLink(key, { slug: "Moved", url: MINE });
    await listen(key);
    const { answer, writes } = await interleave(
      () => sql("UPDATE domains SET case_sensitive = ?1 WHERE domain = ?2", after, DOMAIN),
      () => change(key, id, { domain: DOMAIN }),
    );
    expect(answer).toMatchObject({ status: 200, link: { domain: DOMAIN } });
    expect(writes).toEqual([1, 1]);
    expect(await rowOf(id)).toMatchObject({ case_sensitive: after, slug_key: slugKey });
    expect(await storedEvents()).toMatchObject([{ event: "link.update", data: answer.link }]);
    for (const slug of ["Moved", "moved", "MOVED"])
      expect(await destinationOf(slug, `https://${DOMAIN}`)).toBe(
        (slugs as readonly string[]).includes(slug) ? MINE : null,
      );
  });

  it("gets no nested slug if they are off by then", async () => {
    await insertDomain(accountId, DOMAIN, { nested_slugs: 1 });
    const { id } = await service.createLink(key, { slug: "plain", domain: DOMAIN });
    const { answer, writes } = await interleave(
      () => sql("UPDATE domains SET nested_slugs = 0 WHERE domain = ?1", DOMAIN),
      () => change(key, id, { slug: "a/b" }),
    );
    expect(answer).toMatchObject({ status: 400, details: [{ path: "slug", code: "nested_slugs_off" }] });
    expect(writes).toEqual([1]);
    expect(await rowOf(id)).toMatchObject({ slug: "plain", aliases: null });
  });

  it("is no destination if it is verified by then", async () => {
    const { id } = await service.createLink(key, { slug: "leads", url: MINE });
    const { answer, writes } = await interleave(
      () => insertDomain(theirs.accountId, DOMAIN),
      () => change(key, id, { url: `https://${DOMAIN}/x` }),
    );
    expect(answer).toMatchObject({ status: 400, details: [{ path: "url", code: "leads_to_domain" }] });
    expect(writes).toEqual([1]);
    expect(await destinationOf("leads")).toBe(MINE);
  });

  it("keeps the previous owner's links if the account has lost it by then", async () => {
    await insertDomain(theirs.accountId, DOMAIN);
    const old = await service.createLink(theirs.key, { slug: "wanted", domain: DOMAIN, url: THEIRS });
    await handOver(DOMAIN, accountId);
    const { id } = await service.createLink(key, { slug: "wanted", url: MINE });
    const { answer } = await interleave(
      () => handOver(DOMAIN, theirs.accountId),
      () => change(key, id, { domain: DOMAIN }),
    );
    expect(answer).toMatchObject({ status: 403 });
    expect((await api(theirs.key, "GET", `/api/links/${old.id}`)).link).toEqual(old);
    expect(await destinationOf("wanted", `https://${DOMAIN}`)).toBe(THEIRS);
    expect(await destinationOf("wanted")).toBe(MINE);
  });
});

/** How an account gets a slug, from a link of its own; and then it is an alias of it. */
const TAKES: [name: string, take: (by: string, link: Link, url: string) => Promise<{ status: number }>][] = [
  ["the slug of a new link", (by, _, url) => api(by, "POST", "/api/links", { url, slug: "wanted" })],
  ["the new slug of a link", (by, { id }) => change(by, id, { slug: "wanted" })],
];
const AS_ALIAS: typeof TAKES = [
  [
    "an alias",
    async (by, { id }) => {
      const { status } = await change(by, id, { slug: "wanted" });
      return status === 200 ? change(by, id, { slug: "later" }) : { status };
    },
  ],
];

describe("a slug that another account gets between reading and writing", () => {
  const pairs = [...TAKES, ...AS_ALIAS].flatMap(([name, take]) =>
    TAKES.map(([other, wants]) => [name, other, take, wants] as const),
  );
  it.each(pairs)("as %s is refused as %s, whichever account is first", async (_, __, take, wants) => {
    const accounts = [
      { key, url: MINE },
      { key: theirs.key, url: THEIRS },
    ];
    for (const [first, second] of [accounts, accounts.toReversed()] as (typeof accounts)[]) {
      if (first === undefined || second === undefined) throw new Error("two accounts");
      const taker = await service.createLink(first.key, { slug: "first", url: first.url });
      const link = await service.createLink(second.key, { slug: "printed", url: second.url });
      const renamed = (await change(second.key, link.id, { slug: "second" })).link;
      let taken = 0;
      const { answer } = await interleave(
        async () => ({ status: taken } = await take(first.key, taker, first.url)),
        () => wants(second.key, renamed, second.url),
      );
      expect([200, 201]).toContain(taken);
      expect(answer).toMatchObject({ status: 409, details: [{ code: "taken", value: "wanted" }] });
      expect(await destinationOf("wanted")).toBe(first.url);
      for (const slug of ["printed", "second"]) expect(await destinationOf(slug)).toBe(second.url);
      expect((await api(second.key, "GET", `/api/links/${link.id}`)).link).toEqual(renamed);
      await expectOneHolderOfEachSlug();
      for (const { key: by } of accounts) await deleteAll(by);
    }
  });

  it("is refused as that of a link that moves to a domain of the account, and the alias stays", async () => {
    await insertDomain(accountId, DOMAIN);
    const { id } = await service.createLink(key, { slug: "wanted", url: MINE });
    const own = await service.createLink(key, { slug: "own", domain: DOMAIN, url: THEIRS });
    const { answer } = await interleave(
      async () => {
        await change(key, own.id, { slug: "wanted" });
        await change(key, own.id, { slug: "later" });
      },
      () => change(key, id, { domain: DOMAIN }),
    );
    expect(answer).toMatchObject({ status: 409, details: [{ code: "taken" }] });
    expect(await destinationOf("wanted", `https://${DOMAIN}`)).toBe(THEIRS);
    expect(await destinationOf("wanted")).toBe(MINE);
  });
});

/** No slug is in both tables, and each alias of a link is in that of the aliases. */
async function expectOneHolderOfEachSlug(): Promise<void> {
  const { results } = await env.DB.prepare(
    "SELECT a.slug_key FROM aliases a JOIN links l ON l.domain = a.domain AND l.slug_key = a.slug_key",
  ).all();
  expect(results).toEqual([]);
  const missing = await env.DB.prepare(
    `SELECT j.value FROM links l JOIN json_each(l.aliases) j LEFT JOIN aliases a
       ON a.domain = l.domain AND a.slug_key = lower(j.value) AND a.link_seq = l.seq WHERE a.link_seq IS NULL`,
  ).all();
  expect(missing.results).toEqual([]);
}

/** Deletes the links of the account, and their aliases. */
async function deleteAll(by: string): Promise<void> {
  const { links } = (await api(by, "GET", "/api/links")) as unknown as { links: Link[] };
  for (const { id } of links) await api(by, "DELETE", `/api/links/${id}`);
  await sql("DELETE FROM deleted_links");
  await sql("DELETE FROM aliases");
}
