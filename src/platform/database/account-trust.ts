/**
 * SQL that holds while the account is not trusted yet (src/safety/trust/check-trust.ts). `accountId` is SQL too. It reads no row of an
 * account that is trusted.
 */
export function isUntrustedAccount(accountId: string): string {
  return `EXISTS (SELECT 1 FROM accounts INDEXED BY accounts_untrusted WHERE id = ${accountId} AND trust_at IS NOT NULL)`;
}
