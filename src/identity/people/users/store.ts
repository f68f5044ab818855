import { addAuditEntriesOfMember, newSeries } from "../../../access/audit/store/series.ts";
import { Batch } from "../../../platform/database/batch.ts";
import { holds, Parameters, type Condition } from "../../../platform/database/parameters.ts";
import type { AppLanguage } from "../../../platform/languages.ts";
import { emailKey } from "../../../platform/mail/email-address.ts";
import type { User } from "../../../access/sessions/session.ts";

/** A user with what a sign-in needs. */
export interface StoredUser extends User {
  passwordHash: string | null;
  /** Device cookies of another epoch do not count. */
  deviceEpoch: string;
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  password_hash: string | null;
  language: AppLanguage | null;
  created_at: number;
  device_epoch: string;
}

const COLUMNS = "id, email, name, password_hash, language, created_at, device_epoch";

function toUser(row: UserRow): StoredUser {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    language: row.language,
    createdAt: row.created_at,
    passwordHash: row.password_hash,
    deviceEpoch: row.device_epoch,
  };
}

export async function findUser(db: D1Database, id: string): Promise<StoredUser | null> {
  const row = await db.prepare(`SELECT ${COLUMNS} FROM users WHERE id = ?1`).bind(id).first<UserRow>();
  return row === null ? null : toUser(row);
}

export async function findUserByEmail(db: D1Database, email: string): Promise<StoredUser | null> {
  const row = await db
    .prepare(`SELECT ${COLUMNS} FROM users WHERE email_key = ?1`)
    .bind(emailKey(email))
    .first<UserRow>();
  return row === null ? null : toUser(row);
}

/** Renames the user, with an entry in the audit log of each account that the user is a member of. Idempotent. */
export async function renameUser(
  db: D1Database,
  { id, name, country }: { id: string; name: string; country: string | null },
  now: number,
): Promise<void> {
  const batch = new Batch(db);
  const isOther: Condition = holds`EXISTS (SELECT 1 FROM users WHERE id = ${id} AND name <> ${name})`;
  addAuditEntriesOfMember(batch, { series: newSeries(now), userId: id, action: "user.update", country }, now, isOther);
  const former = new Parameters([id, now]);
  batch.add(
    `INSERT INTO former_names (user_id, until, name) SELECT id, ?2, name FROM users WHERE id = ?1 AND ${isOther(former)}
     ON CONFLICT DO NOTHING`,
    former.values,
  );
  batch.add("UPDATE users SET name = ?2 WHERE id = ?1", [id, name]);
  await batch.commitWithRetry();
}

/** Sets the language of the dashboard and of mails; null: that of the browser. */
export async function setLanguage(db: D1Database, id: string, language: AppLanguage | null): Promise<void> {
  await db.prepare("UPDATE users SET language = ?2 WHERE id = ?1").bind(id, language).run();
}

/** The names of the user's accounts. */
export async function listAccountNames(db: D1Database, userId: string): Promise<string[]> {
  const { results } = await db
    .prepare("SELECT a.name FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = ?1")
    .bind(userId)
    .all<{ name: string }>();
  return results.map(({ name }) => name);
}

export interface NewUser {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
  /** The id of the personal account. */
  accountUuid: string;
  /** When it is first checked whether the account can be trusted; null: it is trusted. */
  trustAt: number | null;
}

/** Adds a user who owns a personal account, if the condition holds and no other user has the address. Idempotent. */
export function addUser(batch: Batch, user: NewUser, now: number, condition: Condition): void {
  const { id, email, name, passwordHash, accountUuid, trustAt } = user;
  batch.sql`INSERT INTO users (id, email, email_key, name, password_hash, created_at)
    SELECT ${id}, ${email}, ${emailKey(email)}, ${name}, ${passwordHash}, ${now}
    WHERE ${condition} ON CONFLICT DO NOTHING`;
  batch.add(
    `INSERT INTO accounts (uuid, name, created_at, personal_user_id, trust_at)
     SELECT ?1, name, ?3, id, ?4 FROM users WHERE id = ?2 ON CONFLICT DO NOTHING`,
    [accountUuid, id, now, trustAt],
  );
  batch.add(
    `INSERT INTO memberships (account_id, user_id, role, joined_at)
     SELECT id, personal_user_id, 'owner', ?2 FROM accounts WHERE personal_user_id = ?1 ON CONFLICT DO NOTHING`,
    [id, now],
  );
}

/** Holds if there is a user with this id. */
export function userExists(id: string): Condition {
  return holds`EXISTS (SELECT 1 FROM users WHERE id = ${id})`;
}

/** Holds if no user has this address. */
export function addressIsFree(email: string): Condition {
  return holds`NOT EXISTS (SELECT 1 FROM users WHERE email_key = ${emailKey(email)})`;
}

/** Holds while the user has this password hash: nobody has set another password since it was compared. */
export function hasPassword(userId: string, passwordHash: string | null): Condition {
  return holds`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_hash IS ${passwordHash})`;
}

/** Holds if the user has this address. */
export function hasEmail(userId: string, email: string): Condition {
  return holds`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND email_key = ${emailKey(email)})`;
}

/** Sets the password if the condition holds. null: the user has none until one is set by mail. */
export function setPassword(batch: Batch, userId: string, passwordHash: string | null, condition: Condition): void {
  batch.sql`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId} AND ${condition}`;
}

/** Ends the device cookies of the user, if the condition holds. Those of the new epoch count from then on. */
export function setDeviceEpoch(batch: Batch, userId: string, epoch: string, condition: Condition): void {
  batch.sql`UPDATE users SET device_epoch = ${epoch} WHERE id = ${userId} AND ${condition}`;
}

/** Sets the address if the condition holds and no other user has it. Idempotent. */
export function setEmail(batch: Batch, userId: string, email: string, condition: Condition): void {
  const parameters = new Parameters([userId, email, emailKey(email)]);
  batch.add(
    `UPDATE users SET email = ?2, email_key = ?3 WHERE id = ?1
       AND NOT EXISTS (SELECT 1 FROM users WHERE email_key = ?3 AND id <> ?1) AND ${condition(parameters)}`,
    parameters.values,
  );
}
