import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { moveNextAccount } from "../../src/account-move/move.ts";
import type { Link } from "../../src/links/contract.ts";
import { fillAccount } from "../account/filled-account.ts";
import { call, jobContext, jsonOf } from "../support/api.ts";
import { interceptD1, statementsOf } from "../support/d1-client.ts";
import { insertManyLinks } from "../support/many-links.ts";
import {
  createPlacedAccounts,
  databases,
  entriesOf,
  holdersOf,
  useDatabases,
  type PlacedAccount,
} from "../support/several-databases.ts";
import { askForMove, finishMove, isMoving, rowsOf, triggersOf } from "./support.ts";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  useDatabases();
  accounts = await createPlacedAccounts();
});

const url = "https://example.com/";

it("moves everything of an account to another database, to a third one and back", async () => {
  const { accountId, key } = await fillAccount();
  const db = databases()[0];
  await db.prepare("INSERT INTO destination_cursor (id, seq) VALUES (1, 0)").run();
  await db
    .prepare(
      "INSERT INTO destinations (link_id, link_seq, account_id, due_at) SELECT id, seq, account_id, 1 FROM links",
    )
    .run();
  await db
    .prepare("INSERT INTO broken_destination_mails (account_id, told_until) VALUES (?1, 1)")
    .bind(accountId)
    .run();
  // The list brings the click counters up to date.
  await call("GET", "/api/links", { key });
  const before = await rowsOf(accountId, 0);
  expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
  const entries = new Set(await entriesOf());
  for (const [source, target] of [
    [0, 1],
    [1, 2],
    [2, 0],
  ] as const) {
    await askForMove(accountId, target);
    await finishMove();
    expect(await rowsOf(accountId, target)).toEqual(before);
    const left = Object.entries(await rowsOf(accountId, source)).filter(([, rows]) => rows.length > 0);
    expect(left.map(([table]) => table)).toEqual(source === 0 ? ["account_usage"] : []);
    expect(await triggersOf(source)).toBe(0);
    expect(await holdersOf(`renamed-${accountId}`)).toEqual([target]);
    for (const slug of ["kept", "renamed"]) expect((await call("GET", `/${slug}-${accountId}`)).status).toBe(302);
    const listed = await jsonOf<{ links: Link[] }>(await call("GET", "/api/links", { key }));
    expect(listed.links).toHaveLength(before["links"]?.length ?? 0);
    const taken = await call("POST", "/api/links", { key: accounts[1].key, body: { url, slug: `kept-${accountId}` } });
    expect(taken.status).toBe(409);
  }
  expect(new Set(await entriesOf())).toEqual(entries);
});

it("redirects and creates links all the time while an account moves, and loses nothing", async () => {
  for (const [source, target] of [
    [0, 2],
    [1, 0],
  ] as const) {
    const { accountId, key } = accounts[source];
    const first = await jsonOf<{ link: Link }>(
      await call("POST", "/api/links", { key, body: { url, slug: `first-${source}` } }),
    );
    await insertManyLinks(databases()[source], accountId, 600);
    const usesMore = "UPDATE account_usage SET links = links + 600 WHERE account_id = ?1";
    const former = databases()[source];
    await former.prepare(usesMore).bind(accountId).run();
    await askForMove(accountId, target);
    const created: string[] = [];
    const refused: number[] = [];
    const over = new AbortController();
    const use = async () => {
      for (let n = 0; !over.signal.aborted; n++) {
        const slug = `during-${source}-${n}`;
        const response = await call("POST", "/api/links", { key, body: { url, slug } });
        if (response.status === 201) created.push(slug);
        else {
          refused.push(response.status);
          expect(response.headers.get("Retry-After")).toBe("1");
        }
        const path = `/api/links/${first.link.id}`;
        const changed = await call("PATCH", path, { key, body: { title: `${n}` } });
        expect([200, 503]).toContain(changed.status);
        expect((await call("GET", `/first-${source}`)).status).toBe(302);
        const last = created.at(-1);
        if (last !== undefined) expect((await call("GET", `/${last}`)).status).toBe(302);
      }
    };
    const move = async () => {
      await finishMove();
      over.abort();
    };
    await Promise.all([use(), move()]);
    expect(created.length).toBeGreaterThan(0);
    expect(refused.filter((status) => status !== 503)).toEqual([]);
    for (const slug of [`first-${source}`, ...created]) expect(await holdersOf(slug)).toEqual([target]);
    const db = databases()[target];
    const usage = db.prepare("SELECT links FROM account_usage WHERE account_id = ?1").bind(accountId);
    expect(await usage.first("links")).toBe(601 + created.length);
    const counted = db.prepare("SELECT count(*) AS n FROM links WHERE account_id = ?1").bind(accountId);
    expect(await counted.first("n")).toBe(601 + created.length);
  }
});

it("goes on after a crash at any round trip, and the account can be used after each", async () => {
  const { accountId, key } = accounts[1];
  const create = async (slug: string) => call("POST", "/api/links", { key, body: { url, slug } });
  for (const slug of ["one", "two"]) expect((await create(slug)).status).toBe(201);
  await askForMove(accountId, 2);
  let crashes = 0;
  for (let failing = 1; await isMoving(); failing++) {
    let count = 0;
    const run = async () => moveNextAccount(jobContext(Date.now() + failing * 60_000));
    // Half of the times after the database has done its work. A write that was refused is repeated by the next run.
    await interceptD1(
      async (sql, send) => {
        if (statementsOf(sql).length === 0 || ++count !== 1 + failing) return send();
        if (failing % 2 === 0) await send();
        crashes++;
        throw new Error("the isolate has crashed");
      },
      () => run().catch(() => undefined),
    );
    expect((await call("GET", "/one")).status).toBe(302);
    expect((await call("GET", "/api/links", { key })).status).toBe(200);
    if (failing > 80) throw new Error("the account does not move");
  }
  expect(crashes).toBeGreaterThan(10);
  expect(await holdersOf("one")).toEqual([2]);
  expect(await holdersOf("two")).toEqual([2]);
  expect((await create("three")).status).toBe(201);
  expect(await holdersOf("three")).toEqual([2]);
  expect(await triggersOf(1)).toBe(0);
});

it("leaves an account where it is if the database has no binding", async () => {
  const { accountId, key } = accounts[0];
  await call("POST", "/api/links", { key, body: { url, slug: "stays" } });
  await askForMove(accountId, 7);
  await finishMove();
  expect(await holdersOf("stays")).toEqual([0]);
  expect(await env.DB.prepare("SELECT 1 FROM moved_accounts").first()).toBeNull();
  expect((await call("POST", "/api/links", { key, body: { url } })).status).toBe(201);
});
