import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { DELETED_ACCOUNT_PURGE_DELAY_MS } from "../../src/account-purge/limits.ts";
import { DAY_MS } from "../../src/duration.ts";
import { DELETED_ACCOUNT_KEPT_MS } from "../../src/limits.ts";
import type { Link } from "../../src/links/contract.ts";
import {
  callForJson,
  createPlacedAccounts,
  databases,
  entriesOf,
  holdersOf,
  runPlacedCron,
  type PlacedAccount,
} from "../support/several-databases.ts";

let accounts: [PlacedAccount, PlacedAccount, PlacedAccount];

beforeEach(async () => {
  accounts = await createPlacedAccounts();
});

function callBy<T>(number: 0 | 1 | 2, method: string, path: string, body?: object) {
  return callForJson<T>(method, path, { key: accounts[number].key, body });
}

/** The tables that name an account, with the column. */
const TABLES: readonly (readonly [table: string, column: string])[] = [
  ["accounts", "id"],
  ...[...env.SCHEMA.matchAll(/^CREATE TABLE (\w+) \(\n([\s\S]*?)\n\) STRICT/gm)].flatMap(
    ([, table = "", columns = ""]): [string, string][] =>
      /^ {2}account_id /m.test(columns) ? [[table, "account_id"]] : [],
  ),
];

/** The tables of the database that have something of the account. */
async function tablesWith(number: 0 | 1 | 2, accountId: number): Promise<string[]> {
  const db = databases()[number];
  const found = await db.batch(
    TABLES.map(([table, column]) => db.prepare(`SELECT 1 FROM ${table} WHERE ${column} = ?1 LIMIT 1`).bind(accountId)),
  );
  return TABLES.flatMap(([table], n) => ((found[n]?.results.length ?? 0) > 0 ? [table] : []));
}

it("deletes everything of an account of another database a week after its deletion, and frees its slugs", async () => {
  const { json } = await callBy<{ link: Link }>(1, "POST", "/api/links", {
    url: "https://example.com/",
    slug: "spring",
    tags: ["a"],
  });
  await callBy(1, "PATCH", `/api/links/${json.link.id}`, { slug: "summer" });
  await callBy(1, "POST", "/api/shared-pages", { tag: "a" });
  await callBy(1, "POST", "/api/domains/add", { domain: "go.acme.com" });
  await callBy(2, "POST", "/api/links", { url: "https://example.com/", slug: "other" });
  expect(await entriesOf()).toEqual(["other", "spring", "summer"]);
  const [, { accountId }] = accounts;
  expect(TABLES.length).toBeGreaterThan(15);
  expect(await tablesWith(1, accountId)).toEqual(
    expect.arrayContaining(["accounts", "links", "shared_pages", "domains"]),
  );

  const deletedAt = Date.now();
  await env.DB.prepare("UPDATE accounts SET deleted_at = ?1 WHERE id = ?2").bind(deletedAt, accountId).run();
  await runPlacedCron(deletedAt + DELETED_ACCOUNT_KEPT_MS);
  expect(await holdersOf("summer")).toEqual([1]);
  for (let run = 1; run <= 2; run++)
    await runPlacedCron(deletedAt + DELETED_ACCOUNT_KEPT_MS + DELETED_ACCOUNT_PURGE_DELAY_MS + run);
  expect([await tablesWith(0, accountId), await tablesWith(1, accountId)]).toEqual([[], []]);
  expect(await entriesOf()).toEqual(["other"]);
  for (const slug of ["spring", "summer"])
    expect((await callBy(2, "POST", "/api/links", { url: "https://example.com/", slug })).status).toBe(201);
});

it("trusts an account with a verified domain of another database after 3 days, and no other account", async () => {
  const [, { accountId }, other] = accounts;
  await callBy(1, "POST", "/api/domains/add", { domain: "go.acme.com" });
  await callBy(2, "POST", "/api/domains/add", { domain: "go.other.com" });
  await databases()[1].prepare("UPDATE domains SET status = 'verified'").run();
  const createdAt = Date.now();
  await env.DB.prepare("UPDATE accounts SET trust_at = ?1, created_at = ?1").bind(createdAt).run();
  for (let run = 0; run < 3; run++) await runPlacedCron(createdAt + 3 * DAY_MS + run);
  const { results } = await env.DB.prepare("SELECT id FROM accounts WHERE trust_at IS NULL").all();
  expect(results).toEqual([{ id: accountId }]);
  expect(other.accountId).not.toBe(accountId);
});
