import { DELETED_ACCOUNT_KEPT_MS } from "../../limits.ts";
import { holds, type Condition } from "./parameters.ts";

/**
 * What `accounts.deleted_at` means. An account is live while it is NULL. A deleted account can be restored for less than
 * {@link DELETED_ACCOUNT_KEPT_MS}: at the end of that time, to the millisecond, it no longer can.
 */

/**
 * SQL that holds if the account is deleted. `accountId` is SQL too. It reads no row unless the account is deleted, because it
 * looks only into an index of deleted accounts.
 */
export function isDeletedAccount(accountId: string): string {
  return `EXISTS (SELECT 1 FROM accounts INDEXED BY accounts_deleted WHERE id = ${accountId} AND deleted_at IS NOT NULL)`;
}

/** SQL that holds if the person with this user id is deleted: the personal account is deleted with the person. */
export function isDeletedPerson(userId: string): string {
  return `EXISTS (SELECT 1 FROM accounts INDEXED BY accounts_deleted_persons
    WHERE personal_user_id = ${userId} AND deleted_at IS NOT NULL)`;
}

/** SQL that holds while an account can be restored. `deletedAt` is SQL for a time, not for NULL; `now` is SQL too. */
export function isInTimeToRestore(deletedAt: string, now: string): string {
  return `${deletedAt} + ${DELETED_ACCOUNT_KEPT_MS} > ${now}`;
}

/** SQL that holds if an account is live or can be restored. As {@link isInTimeToRestore}, but `deletedAt` can be NULL. */
export function isLiveOrRestorable(deletedAt: string, now: string): string {
  return `(${deletedAt} IS NULL OR ${isInTimeToRestore(deletedAt, now)})`;
}

/** Holds unless the account is deleted. */
export function isLive(accountId: number): Condition {
  return (parameters) => `NOT ${isDeletedAccount(parameters.add(accountId))}`;
}

/** Holds while the account is deleted and can be restored. */
export function isRestorable(accountId: number, now: number): Condition {
  return (parameters) =>
    `EXISTS (SELECT 1 FROM accounts WHERE id = ${parameters.add(accountId)} AND deleted_at IS NOT NULL
       AND ${isInTimeToRestore("deleted_at", parameters.add(now))})`;
}

/** Holds unless the operator has disabled the account. */
export function isEnabledAccount(accountId: number): Condition {
  return holds`NOT EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId} AND disabled_at IS NOT NULL)`;
}

/**
 * SQL that holds while the account is not trusted yet (src/safety/trust/check-trust.ts). `accountId` is SQL too. It reads no row of an
 * account that is trusted.
 */
export function isUntrustedAccount(accountId: string): string {
  return `EXISTS (SELECT 1 FROM accounts INDEXED BY accounts_untrusted WHERE id = ${accountId} AND trust_at IS NOT NULL)`;
}
