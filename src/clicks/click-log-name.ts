/** The name of the ClickLog that stores a link's clicks. `accountId` is null for an anonymous link, which has a ClickLog of its own. */
export function clickLogName(accountId: number | null, linkId: string): string {
  return accountId === null ? `link:${linkId}` : `account:${accountId}`;
}
