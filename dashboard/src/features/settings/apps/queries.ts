import type { ConnectedAppBody } from "#src/identity/oauth/contract.ts";
import { call } from "#dashboard/api/client.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { useList, type Listed } from "../queries.ts";

/** An app that may use the account in the name of a person. */
export type ConnectedApp = ConnectedAppBody;

const PAGE_SIZE = 50;

/** Those of the person; for admins and owners, all of the account. */
export function useApps(): Listed<ConnectedApp> {
  return useList<ConnectedApp>(["apps"], "/api/auth/apps", "apps", { query: { limit: PAGE_SIZE } });
}

export async function disconnectApp(id: string): Promise<void> {
  await call("DELETE", `/api/auth/apps/${id}`);
  await readAgain("apps");
}
