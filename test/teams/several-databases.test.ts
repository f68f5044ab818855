import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { listEntries } from "../../src/audit/list-entries.ts";
import { Batch } from "../../src/database/batch.ts";
import { ALWAYS, NEVER } from "../../src/database/parameters.ts";
import { endAccessElsewhere, readAccessElsewhere } from "../../src/teams/access-elsewhere.ts";
import { addAccessToEnd } from "../../src/teams/store/access-to-end.ts";
import {
  callForJson,
  createPlacedAccounts,
  databases,
  placedEnv,
  runPlacedCron,
  type PlacedAccount,
} from "../support/several-databases.ts";

const USER = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

let account: PlacedAccount;

beforeEach(async () => {
  [, account] = await createPlacedAccounts();
  await env.DB.batch([
    env.DB.prepare("UPDATE api_keys SET descends_from = ?1, name = 'Robot' WHERE account_id = ?2").bind(
      USER,
      account.accountId,
    ),
    env.DB.prepare(
      "INSERT INTO users (id, email, email_key, name, created_at) VALUES (?1, 'a@b.c', 'a@b.c', 'Ann', 0)",
    ).bind(USER),
  ]);
});

/** Shares the clicks of a tag with a key of the person. */
async function share(): Promise<void> {
  const { key } = account;
  await callForJson("POST", "/api/links", { key, body: { url: "https://example.com/", tags: ["sale"] } });
  const { status } = await callForJson("POST", "/api/shared-pages", { key, body: { tag: "sale", title: "Sale" } });
  expect(status).toBe(201);
}

async function note(condition = ALWAYS): Promise<void> {
  const batch = new Batch(env.DB);
  const subject = { accountId: account.accountId, userId: USER };
  addAccessToEnd(batch, subject, { actorId: USER, country: null, now: 1 }, condition);
  await batch.commit();
}

const countPages = () => databases()[1].prepare("SELECT count(*) AS n FROM shared_pages").first("n");

it("shows what a person made in the database of the account, and ends it once it is noted", async () => {
  await share();
  const subject = { accountId: account.accountId, userId: USER };
  const made = await readAccessElsewhere(placedEnv(), subject, Date.now());
  expect(made).toMatchObject({ keys: [], webhooks: [], sharedPages: [{ title: "Sale" }] });
  await note(NEVER);
  expect(await endAccessElsewhere(placedEnv(), account.accountId, Date.now())).toEqual(new Map());
  expect(await countPages()).toBe(1);
  await note();
  expect((await endAccessElsewhere(placedEnv(), account.accountId, Date.now())).get(USER)).toEqual(made);
  expect(await countPages()).toBe(0);
  expect(await env.DB.prepare("SELECT 1 FROM access_to_end").first()).toBeNull();
});

it("ends nothing that the person may have again by then", async () => {
  await share();
  await note();
  await env.DB.prepare("INSERT INTO memberships (account_id, user_id, role, joined_at) VALUES (?1, ?2, 'admin', 0)")
    .bind(account.accountId, USER)
    .run();
  await runPlacedCron(Date.now());
  expect(await countPages()).toBe(1);
  expect(await env.DB.prepare("SELECT 1 FROM access_to_end").first()).toBeNull();
});

it("ends by the cron what an isolate that died has left", async () => {
  await share();
  await note();
  await runPlacedCron(Date.now());
  expect(await countPages()).toBe(0);
});

it("lists the entries of both databases by time, with the names of keys and persons", async () => {
  await share();
  await env.DB.prepare(
    `INSERT INTO audit_entries (id, account_id, actor_type, actor_id, action, target_id, created_at)
     VALUES ('00000000-0000-7000-8000-000000000000', ?1, 'user', ?2, 'account.update', NULL, 1)`,
  )
    .bind(account.accountId, USER)
    .run();
  await note();
  await endAccessElsewhere(placedEnv(), account.accountId, Date.now());
  const context = { env: placedEnv(), db: databases()[1], principal: { accountId: account.accountId } };
  const page = { limit: 2, offset: 0, after: null, afterValue: null } as unknown as Parameters<typeof listEntries>[1];
  const read = async (offset: number) =>
    (await listEntries(context, { ...page, offset })).map((entry) => [entry.action, entry.actor_name]);
  expect(await read(0)).toEqual([
    ["shared_page.delete", "Ann"],
    ["shared_page.create", "Robot"],
    ["account.update", "Ann"],
  ]);
  expect(await read(2)).toEqual([["account.update", "Ann"]]);
});

it("counts the keys of the core, and the rest in the account's database", async () => {
  await share();
  const { json } = await callForJson<{ usage: { links: { used: number }; keys: { used: number } } }>(
    "GET",
    "/api/usage",
    {
      key: account.key,
    },
  );
  expect([json.usage.links.used, json.usage.keys.used]).toEqual([1, 1]);
});
