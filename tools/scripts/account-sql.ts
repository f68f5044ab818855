import { PERMISSIONS } from "../../src/platform/auth/permissions.ts";
import { hashKey, lastFour } from "../../src/platform/auth/key.ts";
import { batchWithRetry } from "../../src/platform/database/batch.ts";
import { newId } from "../../src/platform/lib/uuid.ts";
import { INVITATION_TTL_MS } from "../../src/limits.ts";
import { emailKey } from "../../src/platform/mail/email-address.ts";

// SQL without parameters, as `wrangler d1 execute` needs it.

interface NewAccount {
  name: string;
  keyName: string;
  /** The SQL contains only its hash. */
  key: string;
  /** The address of a person who is invited as the owner. */
  owner?: string | undefined;
  /** As in {@link OwnerInvitation}. */
  tokenHash?: string | null;
}

/**
 * Returns the statements that create an account with a first key that has all permissions. They have no parameters and
 * are idempotent.
 */
export async function accountSql(
  { name, keyName, key, owner, tokenHash = null }: NewAccount,
  now: number,
): Promise<string[]> {
  const uuid = newId(now);
  const values = [newId(now), keyName, await hashKey(key), lastFour(key), JSON.stringify(PERMISSIONS)];
  const account = `FROM accounts WHERE uuid = ${literal(uuid)}`;
  const statements = [
    `INSERT INTO accounts (uuid, name, created_at) VALUES (${literal(uuid)}, ${literal(name)}, ${now})
     ON CONFLICT (uuid) DO NOTHING`,
    `INSERT INTO api_keys (id, name, hash, last_four, permissions, created_at, account_id)
     SELECT ${values.map(literal).join(", ")}, ${now}, id ${account}
     ON CONFLICT (id) DO NOTHING`,
  ];
  if (owner === undefined) return statements;
  return statements.concat(ownerInvitationSql({ uuid, email: owner, tokenHash }, now));
}

interface OwnerInvitation {
  /** Of the account. */
  uuid: string;
  email: string;
  /** Of the token in the link; null: the service writes a mail, because only it can encrypt one. */
  tokenHash: string | null;
}

/**
 * Returns the statements that invite a person as the owner of a team that has none, with the records of it, and that end
 * the team's earlier invitations of owners. They are idempotent.
 */
export function ownerInvitationSql({ uuid, email, tokenHash }: OwnerInvitation, now: number): string[] {
  const [id, auditId, entryId] = [newId(now), newId(now), newId(now)].map(literal);
  const invitation = [email, emailKey(email), "owner"].map(literal).join(", ");
  const isOwnerless = `uuid = ${literal(uuid)} AND personal_user_id IS NULL AND deleted_at IS NULL AND NOT EXISTS
    (SELECT 1 FROM memberships m WHERE m.account_id = accounts.id AND m.role = 'owner')`;
  const isInvited = `uuid = ${literal(uuid)} AND EXISTS (SELECT 1 FROM invitations WHERE id = ${id})`;
  return [
    `DELETE FROM invitations WHERE account_id = (SELECT id FROM accounts WHERE ${isOwnerless})
       AND role = 'owner' AND answered_by IS NULL AND id <> ${id}`,
    `INSERT INTO invitations (id, email, email_key, role, token_hash, created_at, expires_at, account_id)
     SELECT ${id}, ${invitation}, ${tokenHash === null ? "NULL" : literal(tokenHash)}, ${now}, ${now + INVITATION_TTL_MS}, id
     FROM accounts WHERE ${isOwnerless} ON CONFLICT (id) DO NOTHING`,
    `INSERT INTO audit_entries (id, account_id, actor_type, action, target_id, target_name, after, created_at)
     SELECT ${auditId}, id, 'operator', 'invitation.create', ${id}, ${literal(email)}, json_object('role', 'owner'), ${now}
     FROM accounts WHERE ${isInvited} ON CONFLICT (id) DO NOTHING`,
    `INSERT INTO operator_entries (id, action, subject, details, created_at)
     SELECT ${entryId}, 'account.invite', ${literal(email)}, json_object('name', name, 'accountId', uuid), ${now}
     FROM accounts WHERE ${isInvited} ON CONFLICT (id) DO NOTHING`,
  ];
}

/** Creates the account in an open database. */
export async function insertAccount(database: D1Database, account: NewAccount, now: number): Promise<void> {
  const statements = await accountSql(account, now);
  await batchWithRetry(
    database,
    statements.map((statement) => database.prepare(statement)),
  );
}

/** An account as `npm run account -- list` shows it. */
export interface ListedAccount {
  id: string;
  name: string;
  created_at: number;
  keys: number;
  /** Addresses, separated by commas; null: nobody signs in for this account. */
  owners: string | null;
  disabled: number;
  deleted: number;
  untrusted: number;
  /** null: the rate limits count by address. */
  rate_limit_factor: number | null;
}

export const LIST_ACCOUNTS = `
  SELECT uuid AS id, name, created_at,
    (SELECT count(*) FROM api_keys k WHERE k.account_id = a.id AND k.revoked_at IS NULL) AS keys,
    (SELECT group_concat(u.email, ', ') FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.account_id = a.id AND m.role = 'owner') AS owners,
    disabled_at IS NOT NULL AS disabled, deleted_at IS NOT NULL AS deleted, trust_at IS NOT NULL AS untrusted,
    rate_limit_factor
  FROM accounts a ORDER BY a.id`;

/** Ends the sessions, the connected apps and the waiting links of the person with this address, or of everybody, and returns a row for each. */
export function endSessionsSql(email: string | null): string[] {
  const whose =
    email === null ? "" : `WHERE user_id = (SELECT id FROM users WHERE email_key = ${literal(emailKey(email))})`;
  return [
    `DELETE FROM sessions ${whose} RETURNING 'session' AS kind`,
    `DELETE FROM oauth_grants ${whose} RETURNING 'app' AS kind`,
    `DELETE FROM tokens WHERE purpose IN ('reset_password', 'second_step', 'sign_in_link')
       ${email === null ? "" : `AND subject = (SELECT id FROM users WHERE email_key = ${literal(emailKey(email))})`}`,
  ];
}

/** Hexadecimal, so that no shell, statement splitter or quoting rule can misread the text. */
export function literal(text: string): string {
  return `CAST(x'${Buffer.from(text, "utf8").toString("hex")}' AS TEXT)`;
}
