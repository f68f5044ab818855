import { call } from "#dashboard/api/client.ts";
import { accountQuery } from "#dashboard/api/resources.ts";
import type { Account } from "#dashboard/api/types.ts";
import { queryClient, readAgain } from "#dashboard/api/query-client.ts";

/** Changes the account that the person acts for. */
export async function updateAccount(
  changes: Partial<Pick<Account, "name" | "linkDefaults" | "brokenDestinationMails" | "clickRetentionDays">>,
): Promise<void> {
  const { account } = await call<{ account: Account }>("PATCH", "/api/account", { body: changes });
  queryClient.setQueryData(accountQuery.queryKey, account);
  if (changes.name !== undefined) await readAgain("session");
}
