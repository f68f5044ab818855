/**
 * SQL that holds if the account is deleted. `accountId` is SQL too. It reads no row unless the account is deleted, because it
 * looks only into an index of deleted accounts.
 */
export function isDeletedAccount(accountId: string): string {
  return `EXISTS (SELECT 1 FROM accounts INDEXED BY accounts_deleted WHERE id = ${accountId} AND deleted_at IS NOT NULL)`;
}

/** SQL that holds if the person with this user id is deleted, which is to delete the personal account. */
export function isDeletedPerson(userId: string): string {
  return `EXISTS (SELECT 1 FROM accounts INDEXED BY accounts_deleted_persons
    WHERE personal_user_id = ${userId} AND deleted_at IS NOT NULL)`;
}
