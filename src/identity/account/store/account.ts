import type { Role } from "../../../platform/auth/roles.ts";
import type { Batch } from "../../../platform/database/batch.ts";
import type { Condition } from "../../../platform/database/parameters.ts";
import type { Account } from "../contract.ts";
import type { LinkDefaults } from "../../../platform/auth/principal.ts";

interface AccountRow {
  id: string;
  name: string;
  personal_user_id: string | null;
  link_defaults: string | null;
  broken_destination_mails: 0 | 1;
  click_retention_days: number | null;
  created_at: number;
}

const COLUMNS = `a.uuid AS id, a.name, a.personal_user_id, a.link_defaults, a.broken_destination_mails, a.click_retention_days,
  a.created_at`;

/** The account as its member sees it, without what the operator sets. */
export type StoredAccount = Omit<Account, "clickRetention">;

/** The account whoever its member is. */
export type CommonAccount = Omit<StoredAccount, "role">;

function toCommon(row: AccountRow): CommonAccount {
  return {
    id: row.id,
    name: row.name,
    kind: row.personal_user_id === null ? "team" : "personal",
    linkDefaults: row.link_defaults === null ? null : (JSON.parse(row.link_defaults) as LinkDefaults),
    brokenDestinationMails: row.broken_destination_mails === 1,
    clickRetentionDays: row.click_retention_days,
    createdAt: row.created_at,
  };
}

export async function findCommonAccount(db: D1Database, accountId: number): Promise<CommonAccount | null> {
  const row = await db.prepare(`SELECT ${COLUMNS} FROM accounts a WHERE a.id = ?1`).bind(accountId).first<AccountRow>();
  return row && toCommon(row);
}

/** Returns null if the user is no member. */
export async function findAccount(db: D1Database, accountId: number, userId: string): Promise<StoredAccount | null> {
  const row = await db
    .prepare(
      `SELECT ${COLUMNS}, m.role
       FROM accounts a JOIN memberships m ON m.account_id = a.id WHERE a.id = ?1 AND m.user_id = ?2`,
    )
    .bind(accountId, userId)
    .first<AccountRow & { role: Role }>();
  if (row === null) return null;
  const { id, name, kind, ...settings } = toCommon(row);
  return { id, name, kind, role: row.role, ...settings };
}

export interface AccountChanges {
  name?: string | undefined;
  /** null: none. */
  linkDefaults?: LinkDefaults | null | undefined;
  brokenDestinationMails?: boolean | undefined;
  /** null: the default. */
  clickRetentionDays?: number | null | undefined;
}

/** Changes what is given, if the condition holds. Idempotent. */
export function updateAccount(
  batch: Batch,
  accountId: number,
  { name, linkDefaults, brokenDestinationMails, clickRetentionDays }: AccountChanges,
  condition: Condition,
): void {
  const json = linkDefaults == null ? null : JSON.stringify(linkDefaults);
  const mails = brokenDestinationMails === undefined ? null : Number(brokenDestinationMails);
  batch.sql`UPDATE accounts SET name = coalesce(${name ?? null}, name),
    broken_destination_mails = coalesce(${mails}, broken_destination_mails),
    link_defaults = iif(${Number(linkDefaults !== undefined)}, ${json}, link_defaults),
    click_retention_days = iif(${Number(clickRetentionDays !== undefined)}, ${clickRetentionDays ?? null}, click_retention_days)
    WHERE id = ${accountId} AND ${condition}`;
}

/** Whether this is a verified domain of the account. */
export async function hasVerifiedDomain(db: D1Database, accountId: number, domain: string): Promise<boolean> {
  const row = await db
    .prepare("SELECT 1 FROM domains WHERE account_id = ?1 AND domain = ?2 AND status = 'verified'")
    .bind(accountId, domain)
    .first();
  return row !== null;
}
