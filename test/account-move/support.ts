import { env } from "cloudflare:workers";
import { FORMER_ROWS_KEPT_MS } from "../../src/account-move/limits.ts";
import { moveNextAccount } from "../../src/account-move/move.ts";
import { jobContext } from "../support/api.ts";
import { databases } from "../support/several-databases.ts";

/** Asks for the move of an account, as an operator does. */
export async function askForMove(accountId: number, target: number): Promise<void> {
  await env.DB.prepare(
    "INSERT INTO account_moves (account_id, target, state, changed_at) VALUES (?1, ?2, 'copying', ?3)",
  )
    .bind(accountId, target, Date.now())
    .run();
}

export async function isMoving(): Promise<boolean> {
  return (await env.DB.prepare("SELECT 1 FROM account_moves").first()) !== null;
}

/** Runs the cron's task until the account has moved and its former rows are deleted. */
export async function finishMove(): Promise<void> {
  for (let runs = 0; await isMoving(); runs++) {
    if (runs === 20) throw new Error("the account does not move");
    await moveNextAccount(jobContext(Date.now() + runs * FORMER_ROWS_KEPT_MS));
  }
}

/** Runs the cron's task until the account is in the other database; its former rows are still there. */
export async function flip(): Promise<void> {
  for (let runs = 0; runs < 5; runs++) {
    await moveNextAccount(jobContext(Date.now()));
    const state = await env.DB.prepare("SELECT state FROM account_moves").first("state");
    if (state === "keeping") return;
  }
  throw new Error("the account does not move");
}

const OF_WEBHOOKS = "webhook_id IN (SELECT id FROM webhooks WHERE account_id = ?1)";

/** What an account has in its database, by table. Each is a condition. */
const OWN: Readonly<Record<string, string>> = {
  links: "account_id = ?1",
  deleted_links: "account_id = ?1",
  aliases: "account_id = ?1",
  tags: "account_id = ?1",
  broken_destination_mails: "account_id = ?1",
  tag_colors: "account_id = ?1",
  destinations: "account_id = ?1",
  domains: "account_id = ?1",
  deleted_domains: "account_id = ?1",
  shared_pages: "account_id = ?1",
  utm_templates: "account_id = ?1",
  notes: "account_id = ?1",
  saved_views: "account_id = ?1",
  idempotency_keys: "account_id = ?1",
  idempotency_pieces: "account_id = ?1",
  webhooks: "account_id = ?1",
  webhook_slots: OF_WEBHOOKS,
  click_deliveries: OF_WEBHOOKS,
  delivery_totals: OF_WEBHOOKS,
  deliveries: OF_WEBHOOKS,
  event_bodies: `event_id IN (SELECT event_id FROM deliveries WHERE ${OF_WEBHOOKS})`,
  listener_events: "listener_id IN (SELECT id FROM webhooks WHERE account_id = ?1)",
  account_usage: "account_id = ?1",
};

/** The rows of the account in the database with this number, by table. Audit entries stay in the core. */
export async function rowsOf(accountId: number, number: number): Promise<Record<string, string[]>> {
  const db = databases()[number] as D1Database;
  const tables = Object.entries(OWN);
  const found = await db.batch(
    tables.map(([table, own]) => db.prepare(`SELECT * FROM ${table} WHERE ${own}`).bind(accountId)),
  );
  return Object.fromEntries(
    tables.map(([table], n) => [table, (found[n]?.results ?? []).map((row) => JSON.stringify(row)).toSorted()]),
  );
}

/** The triggers that a move has left behind. */
export async function triggersOf(number: number): Promise<number> {
  const sql = "SELECT count(*) AS n FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'departing%'";
  return (await (databases()[number] as D1Database).prepare(sql).first<number>("n")) ?? 0;
}
