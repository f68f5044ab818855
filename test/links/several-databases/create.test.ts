import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { RESERVATION_MS } from "../../../src/directory/limits.ts";
import type { Link } from "../../../src/links/contract.ts";
import { insertDomain } from "../../support/domains.ts";
import {
  callForJson,
  callPlaced,
  createPlacedAccounts,
  databases,
  entriesOf,
  holdersOf,
  type PlacedAccount,
} from "../../support/several-databases.ts";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  accounts = await createPlacedAccounts();
});

/** Creates a link for the account in the database with this number. */
function create(number: 0 | 1 | 2, fields: object = {}, headers: Record<string, string> = {}) {
  const body = { url: `https://example.com/${number}`, ...fields };
  return callForJson<{ link: Link; error: string }>("POST", "/api/links", { key: accounts[number].key, body, headers });
}

async function locationOf(slug: string): Promise<string | null> {
  return (await callPlaced("GET", `/${slug}`)).headers.get("Location");
}

it("stores links in the database of their account, and redirects lead there", async () => {
  for (const number of [0, 1, 2] as const) {
    const { status, json } = await create(number, { slug: `Link-${number}`, tags: ["a"] });
    expect([status, json.link.slug]).toEqual([201, `Link-${number}`]);
    expect(await holdersOf(`link-${number}`)).toEqual([number]);
    expect(await locationOf(`LINK-${number}`)).toBe(`https://example.com/${number}`);
    const { key } = accounts[number];
    const listed = await callForJson<{ links: Link[] }>("GET", "/api/links", { key });
    expect(listed.json.links.map(({ id }) => id)).toEqual([json.link.id]);
    expect((await callForJson("GET", `/api/links/${json.link.id}`, { key })).status).toBe(200);
  }
  // Links of the core need no entry.
  expect(await entriesOf()).toEqual(["link-1", "link-2"]);
});

it("gives links without a slug one that no database has", async () => {
  const created = await Promise.all([0, 1, 2, 1, 2].map((number) => create(number as 0 | 1 | 2)));
  expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect(await entriesOf()).toHaveLength(4);
});

it("shortens without a key in the core", async () => {
  await create(1, { slug: "spring" });
  const { status, json } = await callForJson<{ link: Link }>("POST", "/api/shorten", {
    body: { url: "https://example.com/" },
  });
  expect(status).toBe(201);
  expect(await holdersOf(json.link.slug)).toEqual([0]);
});

it("gives a slug to one of 40 links that are created at the same time in three databases", async () => {
  const requests = Array.from({ length: 40 }, (_, n) =>
    create((n % 3) as 0 | 1 | 2, { slug: n % 2 ? "Race" : "race" }),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(39);
  expect(await holdersOf("race")).toHaveLength(1);
});

it("refuses a slug that another database has, and leaves nothing behind", async () => {
  for (const [owner, other] of [
    [0, 1],
    [1, 0],
    [1, 2],
  ] as const) {
    const slug = `slug-${owner}-${other}`;
    await create(owner, { slug });
    const { status, json } = await create(other, { slug });
    expect([status, json.error]).toEqual([409, `The slug ${slug} is taken. Choose another one.`]);
    expect(await holdersOf(slug)).toEqual([owner]);
  }
  expect(await entriesOf()).toEqual(["slug-1-0", "slug-1-2"]);
});

it("gives the slug back of a link that is refused for another reason", async () => {
  await create(1, { externalId: "one" });
  const [entry] = await entriesOf();
  expect((await create(1, { slug: "spring", externalId: "one" })).status).toBe(409);
  await insertDomain(accounts[0].accountId, "go.example");
  const { status, json } = await create(1, { slug: "spring", url: "https://go.example/loop" });
  expect([status, json]).toMatchObject([
    400,
    { details: [{ path: "url", message: "must not lead to a domain of this service" }] },
  ]);
  expect(await entriesOf()).toEqual([entry]);
  expect((await create(2, { slug: "spring" })).status).toBe(201);
});

it("leaves the slug of a creator that died after the reservation to its own database at once, and to others after a minute", async () => {
  // The account is copied.
  await create(1, { slug: "first" });
  const dead = {
    prepare: (sql: string) => databases()[1].prepare(sql),
    batch: () => Promise.reject(new Error("the isolate died")),
  } as unknown as D1Database;
  const body = { url: "https://example.com/", slug: "spring" };
  const fail = () =>
    callPlaced("POST", "/api/links", { key: accounts[1].key, body }, { DB_2: dead } as unknown as Partial<Env>);
  expect((await fail()).status).toBe(500);
  expect(await entriesOf()).toEqual(["first", "spring"]);
  expect(await locationOf("spring")).toBeNull();
  expect((await create(2, { slug: "spring" })).status).toBe(409);
  expect((await create(0, { slug: "spring" })).status).toBe(409);
  expect((await create(1, { slug: "spring" })).status).toBe(201);

  for (const [slug, other] of [
    ["summer", 2],
    ["autumn", 0],
  ] as const) {
    body.slug = slug;
    expect((await fail()).status).toBe(500);
    await env.DB.prepare("UPDATE directory SET reserved_at = reserved_at - ?1").bind(RESERVATION_MS).run();
    expect((await create(other, { slug })).status).toBe(201);
    expect(await holdersOf(slug)).toEqual([other]);
    expect((await create(1, { slug })).status).toBe(409);
    expect(await locationOf(slug)).toBe(`https://example.com/${other}`);
  }
  // The link that was stored keeps its slug, however old its reservation is.
  expect((await create(2, { slug: "spring" })).status).toBe(409);
});

it("answers a repeated request with the link that the first one created", async () => {
  const headers = { "Idempotency-Key": "again" };
  const first = await create(1, { slug: "spring" }, headers);
  const second = await create(1, { slug: "spring" }, headers);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.json).toEqual(first.json);
});

it("creates links in bulk, and tells which slugs another database has", async () => {
  await create(1, { slug: "taken" });
  const { key } = accounts[2];
  const links = ["free", "taken", "free", "other"].map((slug) => ({ url: "https://example.com/", slug }));
  const { json } = await callForJson<{ results: { link?: Link; code?: string }[] }>("POST", "/api/links/bulk", {
    key,
    body: { links },
    headers: { "Idempotency-Key": "bulk" },
  });
  expect(json.results.map(({ link, code }) => link?.slug ?? code)).toEqual(["free", "conflict", "conflict", "other"]);
  expect(await entriesOf()).toEqual(["free", "other", "taken"]);
});
