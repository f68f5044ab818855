import { Batch, type Result } from "../../platform/database/batch.ts";
import { isInTimeToRestore } from "../../platform/database/account-states.ts";
import { ALWAYS, type Value } from "../../platform/database/parameters.ts";
import { endLastingAccess } from "../teams/store/lasting-access.ts";
import { removeHostnameLater } from "../../domains/store/custom-hostnames.ts";
import { CRON_BATCH_ROWS } from "../../limits.ts";
import { DELETED_ACCOUNT_PURGE_DELAY_MS } from "./limits.ts";

/** Deleting everything of an account for good, in batches of at most {@link CRON_BATCH_ROWS} rows of each table. */

/** An account that could no longer be restored {@link DELETED_ACCOUNT_PURGE_DELAY_MS} ago. */
export interface DueAccount {
  id: number;
  /** The person whose personal account it is; null: a team. */
  user: { id: string; emailKey: string } | null;
}

/**
 * Returns an account that is due to be deleted for good, or null. It is chosen at random, so that an account with very many rows, or
 * one that fails, does not delay the others. An account waits until the links that were deleted before it are purged.
 */
export async function findDueAccount(db: D1Database, now: number): Promise<DueAccount | null> {
  const row = await db
    .prepare(
      `SELECT a.id, u.id AS user_id, u.email_key FROM accounts a INDEXED BY accounts_deleted
         LEFT JOIN users u ON u.id = a.personal_user_id
       WHERE a.deleted_at IS NOT NULL AND NOT ${isInTimeToRestore("a.deleted_at", "?1")}
         AND NOT EXISTS (SELECT 1 FROM deleted_links INDEXED BY deleted_links_by_account WHERE account_id = a.id)
       ORDER BY random() LIMIT 1`,
    )
    .bind(now - DELETED_ACCOUNT_PURGE_DELAY_MS)
    .first<{ id: number; user_id: string | null; email_key: string | null }>();
  if (row === null) return null;
  const { id, user_id: userId, email_key: emailKey } = row;
  return { id, user: userId === null || emailKey === null ? null : { id: userId, emailKey } };
}

const LIMIT = CRON_BATCH_ROWS;
const WEBHOOKS = "(SELECT id FROM webhooks WHERE account_id = ?1)";
const NEXT_DELIVERIES = `SELECT event_id, webhook_id FROM deliveries INDEXED BY deliveries_by_status
  WHERE status IN ('sending', 'pending', 'delivered', 'failed', 'dropped') AND webhook_id IN ${WEBHOOKS} LIMIT ${LIMIT}`;
const NEXT_LINKS = `SELECT seq FROM links INDEXED BY links_by_account_unclicked WHERE account_id = ?1 AND all_clicks = 0
  UNION ALL SELECT seq FROM links INDEXED BY links_by_account_clicked WHERE account_id = ?1 AND all_clicks <> 0 LIMIT ${LIMIT}`;

/** Deletes some of the account's deliveries with their events. Returns whether there may be more. */
export async function deleteDeliveries(db: D1Database, { id }: DueAccount): Promise<boolean> {
  const batch = new Batch(db);
  batch.add(`DELETE FROM event_bodies WHERE event_id IN (SELECT event_id FROM (${NEXT_DELIVERIES}))`, [id]);
  const deleted = batch.add(
    `DELETE FROM deliveries WHERE (event_id, webhook_id) IN (${NEXT_DELIVERIES}) RETURNING 1 AS deleted`,
    [id],
  );
  await batch.commit();
  return deleted.rows.length === LIMIT;
}

/** Deletes some of the account's links. Returns whether there may be more. */
export async function deleteLinks(db: D1Database, { id }: DueAccount): Promise<boolean> {
  const batch = new Batch(db);
  // First, so that the triggers of the links find nothing to count.
  const tags = addDelete(batch, { table: "tags", key: "account_id, key", where: "account_id = ?1" }, id);
  const linkKeys = `SELECT account_id, domain, seq FROM links WHERE seq IN (${NEXT_LINKS})`;
  batch.add(`DELETE FROM aliases WHERE (account_id, domain, link_seq) IN (${linkKeys})`, [id]);
  batch.add(`DELETE FROM link_claims WHERE link_seq IN (${NEXT_LINKS})`, [id]);
  const links = batch.add(`DELETE FROM links WHERE seq IN (${NEXT_LINKS}) RETURNING 1 AS deleted`, [id]);
  await batch.commit();
  return [tags, links].some(({ rows }) => rows.length === LIMIT);
}

/** Rows of one table: `key` lists the columns of the primary key, and `where` has the parameter ?1. */
interface Rows {
  table: string;
  key: string;
  where: string;
}

/** What else belongs to an account and can be a lot. ?1 is the account. */
const OF_ACCOUNT: readonly Rows[] = [
  { table: "idempotency_pieces", key: "account_id, key, attempt, position", where: "account_id = ?1" },
  { table: "idempotency_keys", key: "account_id, key", where: "account_id = ?1" },
  { table: "shared_pages", key: "id", where: "account_id = ?1" },
  { table: "listener_events", key: "listener_id, end_offset", where: `listener_id IN ${WEBHOOKS}` },
  { table: "api_keys", key: "id", where: "account_id = ?1" },
  { table: "oauth_grants", key: "id", where: "account_id = ?1" },
  { table: "invitations", key: "id", where: "account_id = ?1" },
  { table: "audit_entries", key: "id", where: "account_id = ?1" },
];

/** ?1 is the id of the user. */
const OF_PERSON: readonly Rows[] = [
  { table: "tokens", key: "hash", where: "subject = ?1" },
  { table: "sessions", key: "id", where: "user_id = ?1" },
  { table: "oauth_grants", key: "id", where: "user_id = ?1" },
  { table: "recovery_codes", key: "hash", where: "user_id = ?1" },
  { table: "passkeys", key: "id", where: "user_id = ?1" },
  {
    table: "invitations",
    key: "id",
    where: "invited_by = ?1 AND account_id IN (SELECT account_id FROM memberships WHERE user_id = ?1)",
  },
];

/** What was sent to the person's address or prepared for it, so that a later person with this address gets nothing. ?1 is its key. */
const OF_ADDRESS: readonly Rows[] = [
  { table: "tokens", key: "hash", where: "subject = ?1" },
  { table: "mails", key: "id", where: "recipient_key = ?1" },
  { table: "invitations", key: "id", where: "email_key = ?1" },
];

/** Deletes some of the rest, all but {@link deleteAccount}. Returns whether there may be more. */
export async function deleteOtherRows(db: D1Database, { id, user }: DueAccount): Promise<boolean> {
  const batch = new Batch(db);
  const deleted = OF_ACCOUNT.map((rows) => addDelete(batch, rows, id));
  if (user !== null) {
    deleted.push(removeAddress(batch, user.emailKey));
    deleted.push(...OF_PERSON.map((rows) => addDelete(batch, rows, user.id)));
    deleted.push(...OF_ADDRESS.map((rows) => addDelete(batch, rows, user.emailKey)));
  }
  await batch.commit();
  return deleted.some(({ rows }) => rows.length === LIMIT);
}

/** Removes the person's address from the audit logs of teams that invited it. */
function removeAddress(batch: Batch, emailKey: string): Result<unknown> {
  const next = `SELECT id FROM audit_entries INDEXED BY audit_entries_of_addresses
    WHERE action GLOB 'invitation.*' AND lower(target_name) = ?1 LIMIT ${LIMIT}`;
  return batch.add(`UPDATE audit_entries SET target_name = NULL WHERE id IN (${next}) RETURNING 1 AS changed`, [
    emailKey,
  ]);
}

function addDelete(batch: Batch, { table, key, where }: Rows, value: Value): Result<unknown> {
  const next = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${LIMIT}`;
  return batch.add(`DELETE FROM ${table} WHERE (${key}) IN (${next}) RETURNING 1 AS deleted`, [value]);
}

/** Deletes the webhooks, the domains, the UTM templates, the notes and the account itself, and the person. Their number is limited. */
export async function deleteAccount(db: D1Database, { id, user }: DueAccount, now: number): Promise<void> {
  const batch = new Batch(db);
  for (const table of ["waiting_clicks", "click_deliveries", "delivery_totals"])
    batch.add(`DELETE FROM ${table} WHERE webhook_id IN ${WEBHOOKS}`, [id]);
  batch.add("DELETE FROM webhooks WHERE account_id = ?1", [id]);
  removeHostnameLater(batch, { sql: "account_id = ?1", values: [id] }, now);
  for (const table of [
    "domains",
    "deleted_domains",
    "tag_colors",
    "utm_templates",
    "notes",
    "saved_views",
    "mail_reports",
    "memberships",
    "account_usage",
    "broken_destination_mails",
    "screening_notices",
  ])
    batch.add(`DELETE FROM ${table} WHERE account_id = ?1`, [id]);
  batch.add("DELETE FROM accounts WHERE id = ?1", [id]);
  if (user !== null) await deletePerson(db, batch, user.id, now);
  await batch.commit();
}

/** Also ends what the person made in teams of others. */
async function deletePerson(db: D1Database, batch: Batch, userId: string, now: number): Promise<void> {
  const teams = await db
    .prepare("SELECT account_id AS accountId FROM memberships WHERE user_id = ?1")
    .bind(userId)
    .all<{ accountId: number }>();
  const ender = { actor: { type: "user", id: userId }, country: null, now } as const;
  for (const { accountId } of teams.results) endLastingAccess(batch, { accountId, userId }, null, ender, ALWAYS);
  for (const table of ["memberships", "mail_reports", "totp_factors", "former_names", "operators"])
    batch.add(`DELETE FROM ${table} WHERE user_id = ?1`, [userId]);
  batch.add("DELETE FROM users WHERE id = ?1", [userId]);
}
