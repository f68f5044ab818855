import { call } from "../../../api/client.ts";
import type { Account } from "../../../api/types.ts";
import { queryClient } from "../../../api/query-client.ts";
import { readAgain } from "../queries.ts";

/** Changes the account that the person acts for. */
export async function updateAccount(changes: Partial<Pick<Account, "name" | "linkDefaults">>): Promise<void> {
  const changed = await call<{ account: Account }>("PATCH", "/api/account", { body: changes });
  queryClient.setQueryData(["account"], changed);
  if (changes.name !== undefined) await readAgain("session");
}
