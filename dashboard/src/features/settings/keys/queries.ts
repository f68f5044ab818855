import type { ApiKey } from "#src/identity/keys/contract.ts";
import type { LoggedRequest } from "#src/identity/keys/request-log-contract.ts";
import { call } from "#dashboard/api/client.ts";
import { readAgain } from "#dashboard/api/query-client.ts";
import { useList, type Listed } from "../queries.ts";

export type Permission = ApiKey["permissions"][number];

const PAGE_SIZE = 100;
/** How often the log of requests is read again. */
const REFRESH_MS = 15_000;

export interface NewKey {
  name: string;
  permissions: Permission[];
  /** A day (`YYYY-MM-DD`) or Unix milliseconds; null: never. */
  expiresAt: string | number | null;
}

/** Also revoked keys, newest first. */
export function useKeys(): Listed<ApiKey> {
  return useList<ApiKey>(["keys"], "/api/keys", "keys", { query: { limit: PAGE_SIZE } });
}

/** Returns the key with its value. */
export async function createKey(fields: NewKey): Promise<ApiKey & { value: string }> {
  const { key } = await call<{ key: ApiKey & { value: string } }>("POST", "/api/keys", { body: fields });
  await readAgain("keys", "usage");
  return key;
}

export async function updateKey(id: string, fields: Pick<ApiKey, "name" | "permissions">): Promise<void> {
  await call("PATCH", `/api/keys/${id}`, { body: fields });
  await readAgain("keys");
}

export async function revokeKey(id: string, descendants: boolean): Promise<void> {
  await call("DELETE", `/api/keys/${id}`, { query: { descendants: descendants ? true : undefined } });
  await readAgain("keys", "usage");
}

/** What the log of requests shows. Empty texts: all. */
export interface RequestView {
  keyId: string;
  status: string;
  method: string;
}

/** Of the log of requests, besides the requests. */
interface LogState {
  leftOut: number;
  recording: boolean;
}

export function useRequests({ keyId, status, method }: RequestView) {
  const filters = {
    ...(keyId !== "" && { keyId }),
    ...(status !== "" && { status }),
    ...(method !== "" && { method }),
  };
  const list = useList<LoggedRequest>(["request-log"], "/api/request-log", "requests", {
    query: { ...filters, limit: PAGE_SIZE },
    refreshMs: REFRESH_MS,
  });
  return { ...list, log: list.lastPage as LogState | undefined };
}
