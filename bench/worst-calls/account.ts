import { setTimeout as sleep } from "node:timers/promises";
import { MAX_SCREENING_ENTRIES, MAX_SCREENING_FILES } from "../../src/admin/limits.ts";
import { DEFAULT_CLICK_RETENTION_DAYS } from "../../src/clicks/limits.ts";
import {
  MAX_ACTIVE_KEYS_PER_ACCOUNT,
  MAX_BODY_BYTES,
  MAX_LISTENER_BYTES,
  MAX_MEMBERS_PER_TEAM,
  MAX_PAGE_SIZE_ITEMS,
  RATE_LIMIT_WINDOW_MS,
} from "../../src/limits.ts";
import { MAX_OPEN_REPORTS } from "../../src/reports/limits.ts";
import { MAX_PENDING_INVITATIONS_PER_TEAM, MAX_TEAMS_PER_OWNER } from "../../src/teams/limits.ts";
import { createPerson, restorePerson, type FuzzPerson } from "../../test/e2e/support/fuzz-person.ts";
import type { Answer } from "../../test/e2e/support/http.ts";
import { addKey, createAccount } from "../../test/support/accounts.ts";
import { domainOf, insertLinksOf } from "../growth/fill.ts";
import type { InstrumentedServer } from "../instrumented/server.ts";
import { DAY_MS, NOW } from "../instrumented/year.ts";

/** A request of the API. `key` is by default that of the account; null: none. */
export interface Ask {
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
  key?: string | null;
}

/** An account that is near its limits. */
export interface FilledAccount {
  server: InstrumentedServer;
  accountId: number;
  key: string;
  /** How many links it has, besides those of the largest size. */
  links: number;
  /** The id of the link with half of all clicks. */
  busyLink: string;
  /** Ids of links of the largest size. */
  heavyLinks: string[];
  /** The name of the account's verified domain, which a fifth of the links have. */
  customDomain: string;
  /** The owner of the account, with a session. */
  person: FuzzPerson;
  /** Those of each table of the database. */
  columns: Map<string, string[]>;
  /** The ids of what the account has, as a JSON array: whatever calls add is deleted before the next one. */
  kept: string;
  /** Sends a request from an address of its own. After a 429 it waits, by the clock of the service, and tries again. */
  send: (ask: Ask) => Promise<Answer>;
  /** Sends a request that must succeed. */
  ask: <T>(ask: Ask) => Promise<T>;
}

export interface Size {
  links: number;
  clicks: number;
}

const LINKS_WITH_CLICKS = 50;
const CLICKS_PER_MESSAGE = 100;
const MESSAGES_PER_DELIVERY = 100;
/** A time that is after that of the service, however far calls have advanced it. */
const LATER = NOW + DAY_MS;
/** One place is left for the calls that create something. */
const LEFT = 1;

/** Fills an account by SQL where the API would be slow, and sets the clock of the service to `NOW`. */
export async function fillAccount(server: InstrumentedServer, { links, clicks }: Size): Promise<FilledAccount> {
  const { db } = server;
  await server.control({ now: NOW - DEFAULT_CLICK_RETENTION_DAYS * DAY_MS });
  const { accountId, key } = await createAccount(db);
  const send: FilledAccount["send"] = async (ask) => {
    const { method, path, body, headers, key: other = key } = ask;
    const all = { ...(other !== null && { Authorization: `Bearer ${other}` }), ...headers };
    // A refusal before a large body was read ends the connection.
    const answer = await server.send(method, path, all, body).catch((error: unknown) => {
      if ((body?.length ?? 0) <= MAX_BODY_BYTES) throw error;
      return null;
    });
    if (answer !== null && answer.status !== 429) return answer;
    const seconds = answer?.headers["retry-after"];
    await server.control({ advance: seconds === undefined ? RATE_LIMIT_WINDOW_MS : Number(seconds) * 1_000 });
    return send(ask);
  };
  const customDomain = domainOf(accountId);
  const addDomain = db.prepare(
    `INSERT INTO domains (id, account_id, domain, token, status, check_at, verified_at, created_at, updated_at)
     VALUES ('00000000-0000-7000-8000-000000000000', ?1, ?2, '', 'verified', ?3, 0, 0, 0)`,
  );
  await addDomain.bind(accountId, customDomain, NOW * 2).run();
  await insertLinksOf(db, accountId, 1, links);
  const busyLink = await fillClicks(server, accountId, clicks);
  await server.control({ now: NOW });
  const person = await createPerson(db, "ann@example.com", accountId, LATER);
  for (let n = 0; n < MAX_PAGE_SIZE_ITEMS; n++) await addKey(db, accountId, { expiresAt: 0 });
  for (let n = 1; n < MAX_ACTIVE_KEYS_PER_ACCOUNT - LEFT; n++) await addKey(db, accountId);
  return {
    server,
    accountId,
    key,
    links,
    send,
    customDomain,
    busyLink,
    person,
    heavyLinks: [],
    kept: "[]",
    columns: await readColumns(db),
    async ask<T>(ask: Ask) {
      const answer = await send(ask);
      if (answer.status >= 300) throw new Error(`${ask.method} ${ask.path}: ${answer.status} ${answer.text}`);
      return answer.json() as T;
    },
  };
}

/** Adds clicks of the days that are kept as single clicks. Half of them are those of one link, whose id is returned. */
async function fillClicks(server: InstrumentedServer, accountId: number, clicks: number): Promise<string> {
  const select = server.db.prepare("SELECT id FROM links WHERE account_id = ?1 ORDER BY seq LIMIT ?2");
  const { results } = await select.bind(accountId, LINKS_WITH_CLICKS).all<{ id: string }>();
  const [busy = "", ...others] = results.map(({ id }) => id);
  const links = others.flatMap((id) => [busy, id]);
  for (let day = DEFAULT_CLICK_RETENTION_DAYS - 1; day > 0; day--) {
    const from = NOW - day * DAY_MS;
    const take = { accountId, links, perMessage: CLICKS_PER_MESSAGE, perDelivery: MESSAGES_PER_DELIVERY, from };
    const until = from + DAY_MS / 2;
    const each = Math.ceil(clicks / (DEFAULT_CLICK_RETENTION_DAYS - 1));
    await server.control({ now: until, take: { ...take, clicks: each, until } });
  }
  return busy;
}

const NUMBERS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)";
const idOf = (n: string) => `format('01920b5c-7d6a-7c3e-9b1f-%012x', ${n})`;
const ID = idOf("i");
export const FIRST_ID = "01920b5c-7d6a-7c3e-9b1f-000000000001";

/** The columns of each table. */
async function readColumns(db: D1Database): Promise<Map<string, string[]>> {
  const { results: tables } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all<{ name: string }>();
  const names = tables.map(({ name }) => name).filter((name) => /^[a-z_]+$/.test(name) && !name.startsWith("sqlite_"));
  const read = names.map((name) => db.prepare(`PRAGMA table_info(${name})`));
  const infos = await db.batch<{ name: string }>(read);
  return new Map(infos.map(({ results }, index) => [names[index] ?? "", results.map(({ name }) => name)]));
}

/**
 * SQL that copies a row of a table. `changed` are the columns that differ, as SQL with the number `i` of the copy; the column `id`
 * always does.
 */
export function copyOf(
  { columns }: FilledAccount,
  table: string,
  condition: string,
  copies: number,
  changed: Record<string, string> = {},
): string {
  const names = columns.get(table) ?? [];
  const values = names.map((name) => changed[name] ?? (name === "id" ? ID : name));
  return `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${copies})
    INSERT OR IGNORE INTO ${table} (${names.join()}) SELECT ${values.join()} FROM n, (SELECT * FROM ${table} WHERE ${condition} LIMIT 1)`;
}

/** Tables of whose rows an account can have a few only. */
const LIMITED = "webhooks api_keys domains utm_templates notes shared_pages saved_views mail_reports".split(" ");

/** From now on, {@link restore} deletes whatever is added. */
export async function keepAll(account: FilledAccount): Promise<void> {
  const read = LIMITED.map((table) => account.server.db.prepare(`SELECT id FROM ${table}`));
  const pages = await account.server.db.batch<{ id: string }>(read);
  account.kept = JSON.stringify(pages.flatMap(({ results }) => results.map(({ id }) => id)));
}

/** Makes everything as it was at first, apart from links: the person, what they have, and what operators see. */
export async function restore(account: FilledAccount): Promise<void> {
  const { server, accountId, person, kept } = account;
  const { db } = server;
  const { userId, colleagueId, sessionId, invitationId, grantId, teamId } = person;
  await restorePerson(db, person, LATER);
  const cleared =
    "appeals takedown_accounts host_sweeps takedowns reports screening_rules mails idempotency_keys".split(" ");
  // Teams of calls before have another owner, so that the person can have more.
  const others = `user_id = '${userId}' AND account_id NOT IN (${person.accountId}, ${teamId})`;
  const member = `account_id = ${teamId} AND user_id = '${colleagueId}'`;
  const address = { email: "'i' || i || '@example.com'", email_key: "'i' || i || '@example.com'" };
  const page = MAX_PAGE_SIZE_ITEMS + 1;
  const members = MAX_MEMBERS_PER_TEAM - 3;
  const limited = LIMITED.map(
    (table) =>
      `DELETE FROM ${table} WHERE account_id = ${accountId} AND id NOT IN (SELECT value FROM json_each('${kept}'))`,
  );
  const statements = [
    ...limited,
    ...cleared.map((table) => `DELETE FROM ${table}`),
    "INSERT OR IGNORE INTO users VALUES ('keeper', 'keeper', 'keeper', 'Keeper', NULL, 0, '', NULL)",
    `INSERT OR IGNORE INTO memberships SELECT account_id, 'keeper', 'owner', 0 FROM memberships WHERE ${others}`,
    `DELETE FROM memberships WHERE ${others}`,
    `INSERT OR IGNORE INTO operators VALUES ('${userId}', 0)`,
    `UPDATE sessions SET factor_at = confirmed_at WHERE id = '${sessionId}'`,
    "UPDATE webhooks SET old_secrets = '[]'",
    copyOf(account, "sessions", `id = '${sessionId}'`, page, { hash: "'copy ' || i" }),
    copyOf(account, "invitations", `id = '${invitationId}'`, MAX_PENDING_INVITATIONS_PER_TEAM - 2, address),
    copyOf(account, "users", `id = '${colleagueId}'`, members, address),
    copyOf(account, "memberships", member, members, { user_id: ID }),
    copyOf(account, "accounts", `id = ${teamId}`, MAX_TEAMS_PER_OWNER - 2, { id: "NULL", uuid: ID, name: "'Copy'" }),
    `INSERT OR IGNORE INTO memberships SELECT id, '${userId}', 'owner', 0 FROM accounts WHERE name = 'Copy'`,
    copyOf(account, "oauth_grants", `id = '${grantId}'`, page),
    copyOf(account, "audit_entries", `account_id = ${accountId}`, page),
    copyOf(account, "operator_entries", "true", page),
  ];
  await db.batch(statements.map((sql) => db.prepare(sql)));
}

const text = (chars: number) => `printf('%.*c', ${chars}, 'x')`;

/** What operators see, as much as there can be: takedowns of the account with appeals, reports, and rules of the screening. */
export async function fillConsole({ server: { db }, person: { userId, teamId } }: FilledAccount): Promise<void> {
  const fill = (table: string, values: string, rows: number) =>
    db.prepare(`${NUMBERS} INSERT INTO ${table} SELECT ${values} FROM n`).bind(rows).run();
  const page = MAX_PAGE_SIZE_ITEMS + 1;
  const of = `'${userId}'`;
  // The first one is in force.
  await fill(
    "takedowns",
    `${ID}, iif(i = 1, 'account', 'link'), iif(i = 1, ${teamId}, i), i, 0, 0, NULL, 0, ${of}, iif(i = 1, NULL, 1), ${of}, 0`,
    page,
  );
  await fill("takedown_accounts", `${teamId}, ${ID}, NULL`, page);
  await fill("appeals", `${ID}, ${ID}, ${teamId}, 'u', ${text(1_000)}, 0, NULL, NULL, NULL`, page);
  await fill(
    "reports",
    `${ID}, 'link', ${teamId}, '', 'http://tern.test/x', 'spam', ${text(1_000)}, NULL, NULL, 0, NULL, NULL`,
    MAX_OPEN_REPORTS,
  );
  const entries = MAX_SCREENING_ENTRIES - LEFT;
  await fill(
    "screening_rules",
    `${ID}, iif(i > ${entries}, 'hosts', 'entry'), 'https://lists.example/' || i, 'url lists.example/' || i, 'block', 'spam', NULL, 0, ${of}`,
    entries + MAX_SCREENING_FILES,
  );
}

const EVENT_BYTES = 50_000;

/** Gives a listener as many events as it can keep. */
export async function fillListener({ server }: FilledAccount, id: string): Promise<string> {
  const insert = server.db.prepare(
    `${NUMBERS} INSERT INTO listener_events (listener_id, end_offset, event_id, type, body, arrived_at)
     SELECT ?2, i * ?3, 'event-' || i, 'link.create', ${text(EVENT_BYTES - 1_000)}, ?4 FROM n`,
  );
  await insert.bind(Math.floor(MAX_LISTENER_BYTES / EVENT_BYTES), id, EVENT_BYTES, NOW).run();
  return id;
}

const POLL_MS = 200;

/** Waits until a job, an import or an export has a status. */
export async function waitFor(account: FilledAccount, ask: Ask, status: string): Promise<void> {
  for (;;) {
    const [found] = Object.values(await account.ask<Record<string, { status: string }>>(ask));
    if (found?.status === status) return;
    if (found?.status === "failed") throw new Error(`${ask.path} failed`);
    await sleep(POLL_MS);
  }
}
