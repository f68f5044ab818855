/**
 * SQL for `click_shards` of an account. `accountId` is SQL too. It reads no row of an account with one ClickLog, because it looks
 * only into an index of the others.
 */
export function clickShardsOf(accountId: string): string {
  return `(SELECT click_shards FROM accounts INDEXED BY accounts_click_shards
    WHERE id = ${accountId} AND click_shards IS NOT NULL)`;
}
