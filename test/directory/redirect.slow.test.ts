import { beforeEach, expect, it } from "vitest";
import type { RedirectRow } from "../../src/redirect/lookup/entry.ts";
import { findInDatabases } from "../../src/redirect/lookup/several-databases.ts";
import { domainQuery } from "../../src/redirect/lookup/store/domains.ts";
import { linkQuery } from "../../src/redirect/lookup/store/links.ts";
import { countedDatabase } from "./counted-database.ts";
import { deleteLink, NOW, shardAt, store } from "./support.ts";

// The directory is the first database, as in an installation that grows from one.
let counts: { roundTrips: number; rowsRead: number };
let env: Env;

beforeEach(() => {
  counts = { roundTrips: 0, rowsRead: 0 };
  const [DB, DB_2, DB_3] = [0, 1, 2].map((number) => countedDatabase(shardAt(number), counts));
  env = { DB, DB_2, DB_3, ANONYMOUS_HOST: "" } as unknown as Env;
});

async function addEntry(key: string, shard: number): Promise<void> {
  await shardAt(0).prepare("INSERT INTO directory VALUES (?1, ?2, ?3, ?4)").bind(key, shard, `token-${key}`, NOW).run();
}

async function removeEntry(key: string): Promise<void> {
  await shardAt(0).prepare("DELETE FROM directory WHERE key = ?1").bind(key).run();
}

/** Returns the number of the database that has the link, or null, and what the look-up took. */
async function find(slug: string, known?: { updatedAt: number; shard?: number }) {
  Object.assign(counts, { roundTrips: 0, rowsRead: 0 });
  const row = await findInDatabases<RedirectRow>(env, { domain: "", slug }, linkQuery(env, "", slug), known);
  return { shard: row === null ? null : row.shard, ...counts };
}

it("reads one row of a link that the directory has itself", async () => {
  await store(0, "spring", "");
  expect(await find("spring")).toEqual({ shard: 0, roundTrips: 1, rowsRead: 1 });
  expect(await find("SPRING", { updatedAt: NOW, shard: 0 })).toEqual({ shard: 0, roundTrips: 1, rowsRead: 1 });
});

it("reads two rows of a link in another database, and one where a cached copy names that", async () => {
  await addEntry("spring", 2);
  await store(2, "spring", "token-spring");
  expect(await find("spring")).toEqual({ shard: 2, roundTrips: 2, rowsRead: 2 });
  expect(await find("Spring")).toEqual({ shard: 2, roundTrips: 2, rowsRead: 2 });
  expect(await find("spring", { updatedAt: NOW, shard: 2 })).toEqual({ shard: 2, roundTrips: 1, rowsRead: 1 });
});

it("takes the database of a cached copy as a hint only", async () => {
  await addEntry("spring", 1);
  await store(1, "spring", "token-spring");
  // It was in the third database, or in one that this version of the Worker is not bound to.
  for (const shard of [2, 7]) expect(await find("spring", { updatedAt: NOW, shard })).toMatchObject({ shard: 1 });
  await deleteLink(1, "spring");
  await removeEntry("spring");
  await store(0, "spring", "");
  expect(await find("spring", { updatedAt: NOW, shard: 1 })).toMatchObject({ shard: 0 });
});

it("asks the primaries before it says that there is no link", async () => {
  expect(await find("spring")).toEqual({ shard: null, roundTrips: 2, rowsRead: 0 });
  // The reservation of a creation that has not stored its link, or never will.
  await addEntry("spring", 1);
  expect(await find("spring")).toEqual({ shard: null, roundTrips: 4, rowsRead: 2 });
  expect(await find("spring", { updatedAt: NOW, shard: 1 })).toMatchObject({ shard: null });
});

it("reads the primaries for a version that the replicas do not have", async () => {
  await addEntry("spring", 1);
  await store(1, "spring", "token-spring");
  expect(await find("spring", { updatedAt: NOW + 1, shard: 1 })).toEqual({ shard: 1, roundTrips: 5, rowsRead: 5 });
});

it("fails if the directory names a database that is not bound", async () => {
  await addEntry("spring", 3);
  await expect(find("spring")).rejects.toThrow("the database 3, which has no binding");
});

it("finds a verified domain of another database", async () => {
  await addEntry("go.example", 1);
  await shardAt(1)
    .prepare("INSERT OR IGNORE INTO accounts (id, uuid, name, created_at) VALUES (1, 'a', 'Acme', 0)")
    .run();
  await shardAt(1)
    .prepare(
      `INSERT INTO domains (id, account_id, domain, token, status, created_at, updated_at)
       VALUES ('d', 1, 'go.example', 't', 'verified', 0, 0)`,
    )
    .run();
  const row = await findInDatabases(env, { domain: "go.example" }, domainQuery("go.example"), undefined);
  expect(row).toMatchObject({ account_id: 1, domain: "go.example", shard: 1 });
});
