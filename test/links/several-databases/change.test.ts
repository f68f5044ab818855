import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { RESERVATION_MS } from "../../../src/directory/limits.ts";
import { DELETED_LINK_PURGE_DELAY_MS } from "../../../src/links/limits.ts";
import { DELETED_LINK_KEPT_MS } from "../../../src/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import type { SlugCheck } from "../../../src/links/slugs/contract.ts";
import {
  callForJson,
  callPlaced,
  createPlacedAccounts,
  databases,
  entriesOf,
  holdersOf,
  runPlacedCron,
  type Answer,
  type PlacedAccount,
} from "../../support/several-databases.ts";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  accounts = await createPlacedAccounts();
});

type Number = 0 | 1 | 2;

function callBy<T = { link: Link; error: string }>(
  number: Number,
  method: string,
  path: string,
  body?: object,
): Promise<Answer<T>> {
  return callForJson<T>(method, path, { key: accounts[number].key, body });
}

async function create(number: Number, slug: string): Promise<Link> {
  const { json } = await callBy(number, "POST", "/api/links", { url: `https://example.com/${number}`, slug });
  return json.link;
}

async function statusOf(slug: string): Promise<number> {
  return (await callPlaced("GET", `/${slug}`)).status;
}

/** Whether an account of the database can create a link with the slug. */
async function canCreate(number: Number, slug: string): Promise<boolean> {
  return (await callBy(number, "POST", "/api/links", { url: "https://example.com/", slug })).status === 201;
}

it("renames a link: the new slug is refused if another database has it, and the old one stays its alias", async () => {
  for (const [owner, other] of [
    [1, 2],
    [0, 1],
    [1, 0],
  ] as const) {
    const [from, to] = [`from-${owner}${other}`, `to-${owner}${other}`];
    await create(other, `taken-${owner}${other}`);
    const { id } = await create(owner, from);
    const path = `/api/links/${id}`;
    expect((await callBy(owner, "PATCH", path, { slug: `Taken-${owner}${other}` })).status).toBe(409);
    const { status, json } = await callBy(owner, "PATCH", path, { slug: to });
    expect([status, json.link.slug, json.link.aliases]).toEqual([200, to, [from]]);
    for (const slug of [from, to]) {
      expect(await statusOf(slug)).toBe(302);
      expect(await canCreate(other, slug)).toBe(false);
    }
    // Back to its alias, which needs no other reservation.
    expect((await callBy(owner, "PATCH", path, { slug: from })).status).toBe(200);
    expect((await callBy(owner, "PATCH", path, { aliases: [] })).status).toBe(200);
    expect(await canCreate(other, to)).toBe(true);
    expect(await holdersOf(to)).toEqual([other]);
  }
});

it("gives a slug to one of 12 links that are renamed at the same time in three databases", async () => {
  const links = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, n) => [(n % 3) as Number, (await create((n % 3) as Number, `n${n}`)).id] as const,
    ),
  );
  const renamed = await Promise.all(
    links.map(([number, id]) => callBy(number, "PATCH", `/api/links/${id}`, { slug: "race" })),
  );
  expect(renamed.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(renamed.filter(({ status }) => status === 409)).toHaveLength(11);
  expect(await holdersOf("race")).toHaveLength(1);
});

it("renames to a slug whose creator died, once its reservation is old", async () => {
  const { id } = await create(0, "spring");
  const insert = env.DB.prepare("INSERT INTO directory VALUES ('summer', 1, 'token', ?1)");
  await insert.bind(Date.now()).run();
  const rename = async () => (await callBy(0, "PATCH", `/api/links/${id}`, { slug: "summer" })).status;
  expect(await rename()).toBe(409);
  await env.DB.prepare("UPDATE directory SET reserved_at = reserved_at - ?1").bind(RESERVATION_MS).run();
  expect(await rename()).toBe(200);
  expect(await statusOf("summer")).toBe(302);
});

it("keeps the slug of a deleted link until it is purged, and then gives it to any database", async () => {
  const { id } = await create(1, "spring");
  const path = `/api/links/${id}`;
  expect((await callBy(1, "DELETE", path)).status).toBe(200);
  expect([await statusOf("spring"), await canCreate(2, "spring")]).toEqual([404, false]);
  expect((await callBy(1, "POST", `${path}/restore`)).status).toBe(200);
  expect(await statusOf("spring")).toBe(302);
  await callBy(1, "DELETE", path);
  await runPlacedCron(Date.now() + DELETED_LINK_KEPT_MS + DELETED_LINK_PURGE_DELAY_MS + 1);
  expect(await databases()[1].prepare("SELECT 1 FROM deleted_links").first()).toBeNull();
  expect(await entriesOf()).toEqual([]);
  expect(await canCreate(2, "spring")).toBe(true);
  expect(await statusOf("spring")).toBe(302);
});

it("finds by a check which slugs any database has", async () => {
  const [, own] = [await create(0, "first"), await create(1, "second")];
  await create(2, "third");
  const check = async (number: Number, slug: string) => {
    const { json } = await callBy<{ slug: SlugCheck }>(number, "GET", `/api/slugs/${slug}`);
    return [json.slug.available, json.slug.reason, json.slug.linkId];
  };
  expect(await check(1, "First")).toEqual([false, "taken", null]);
  expect(await check(1, "second")).toEqual([false, "own", own.id]);
  expect(await check(1, "third")).toEqual([false, "taken", null]);
  expect(await check(0, "third")).toEqual([false, "taken", null]);
  expect(await check(2, "free")).toEqual([true, null, null]);
  // A creation in another database may be about to store its link.
  await env.DB.prepare("INSERT INTO directory VALUES ('soon', 1, 'token', ?1)").bind(Date.now()).run();
  expect([await check(0, "soon"), await check(1, "soon")]).toEqual([
    [false, "taken", null],
    [true, null, null],
  ]);
});

it("updates or creates by slug, and refuses a slug of another database", async () => {
  await create(0, "first");
  const upsert = (number: Number, slug: string, title: string) =>
    callBy(number, "PUT", "/api/links/upsert", { url: "https://example.com/", slug, title });
  expect((await upsert(1, "second", "a")).status).toBe(201);
  expect((await upsert(1, "second", "b")).json.link.title).toBe("b");
  expect((await upsert(1, "first", "c")).json.error).toContain("first is taken");
  expect((await upsert(2, "second", "d")).status).toBe(409);
  const raced = await Promise.all([0, 1, 2, 1, 2, 1].map((number) => upsert(number as Number, "race", `${number}`)));
  expect(raced.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(await holdersOf("race")).toHaveLength(1);
});

it("refuses the slug that the link had when the call began, if another database got it meanwhile", async () => {
  const link = await create(1, "first");
  const path = `/api/links/${link.id}`;
  const db = databases()[1];
  let isRenamed = false;
  const renaming = {
    prepare: (sql: string) => db.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      if (!isRenamed) {
        isRenamed = true;
        expect((await callBy(1, "PATCH", path, { slug: "second", aliases: [] })).status).toBe(200);
        expect((await create(2, "first")).slug).toBe("first");
      }
      return db.batch(statements);
    },
  };
  const options = { key: accounts[1].key, body: { slug: "first" } };
  expect((await callPlaced("PATCH", path, options, { DB_2: renaming } as unknown as Partial<Env>)).status).toBe(409);
  expect(isRenamed).toBe(true);
  expect([await holdersOf("first"), await holdersOf("second")]).toEqual([[2], [1]]);
});
