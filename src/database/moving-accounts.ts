/**
 * Accounts that are being moved to another database (src/account-move) have rows in both meanwhile. `accountId` is SQL. In a database
 * that no account leaves or comes to, these conditions read no row.
 */

/** SQL that holds if this database is where the account is: not while its rows are copied here, and not once it has moved away. */
export function isAtHome(accountId: string): string {
  return `(NOT EXISTS (SELECT 1 FROM arriving_accounts WHERE account_id = ${accountId} AND is_complete = 0)
    AND NOT EXISTS (SELECT 1 FROM departing_accounts WHERE account_id = ${accountId} AND moved_to IS NOT NULL))`;
}

/** SQL that holds unless writes of the service for the account must wait: they are refused, or the rows here are only a copy. */
export function isAtRest(accountId: string): string {
  return `(NOT EXISTS (SELECT 1 FROM arriving_accounts WHERE account_id = ${accountId} AND is_complete = 0)
    AND NOT EXISTS (SELECT 1 FROM departing_accounts WHERE account_id = ${accountId} AND stopped_by IS NOT NULL))`;
}
