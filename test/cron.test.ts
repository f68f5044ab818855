import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "#src/platform/lib/uuid.ts";
import { AGED_TABLES } from "#src/cron.ts";
import { createAccount, runCron } from "./support/api.ts";

type Table = (typeof AGED_TABLES)[number]["table"];

/** Inserts a row with the id ?1 into the account ?2. */
const INSERTIONS: Record<Table, string> = {
  guesses: "INSERT INTO guesses (id, subject, created_at) SELECT ?1, 's', 0 WHERE ?2 IS NOT NULL",
  mails: `INSERT INTO mails (id, kind, recipient, recipient_key, created_at)
    SELECT ?1, 'factors_reset', 'ann@example.com', 'ann@example.com', 0 WHERE ?2 IS NOT NULL`,
  invitations: `INSERT INTO invitations (id, account_id, email, email_key, role, token_hash, created_at, expires_at)
    VALUES (?1, ?2, 'ann@example.com', 'ann@example.com', 'viewer', ?1, 0, 0)`,
  audit_entries: `INSERT INTO audit_entries (id, account_id, actor_type, action, created_at)
    VALUES (?1, ?2, 'operator', 'key.create', 0)`,
  operator_entries: `INSERT INTO operator_entries (id, action, subject, created_at)
    SELECT ?1, 'operator.add', 's', 0 WHERE ?2 IS NOT NULL`,
  appeals: `INSERT INTO appeals (id, takedown_id, account_id, user_id, statement, created_at)
    SELECT ?1, t.id, ?2, 'u', 's', 0 FROM takedowns t WHERE t.kind = 'link' AND t.target = ?1`,
  reports: `INSERT INTO reports (id, link_id, account_id, domain, short_url, reason, created_at)
    VALUES (?1, ?1, ?2, '', 's', 'spam', 0)`,
};

it.each(AGED_TABLES)("the cron deletes rows of $table by their age", async ({ table, maxAge }) => {
  const { accountId } = await createAccount();
  const now = Date.now();
  const [old, kept] = [newId(now - maxAge - 1), newId(now - maxAge)];
  // What appeals are against.
  const takedown =
    "INSERT INTO takedowns (id, kind, target, shown, imposed, created_at, created_by) VALUES (?1, 'link', ?1, 's', 0, 0, 'u')";
  for (const id of [old, kept]) await env.DB.prepare(takedown).bind(id).run();
  for (const id of [old, kept]) await env.DB.prepare(INSERTIONS[table]).bind(id, accountId).run();
  await runCron(now);
  const { results } = await env.DB.prepare(`SELECT id FROM ${table} WHERE id IN (?1, ?2)`).bind(old, kept).all();
  expect(results).toEqual([{ id: kept }]);
});
