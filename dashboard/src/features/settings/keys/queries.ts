import type { ApiKey } from "#src/keys/contract.ts";
import { call } from "#dashboard/api/client.ts";
import { readAgain, useList, type Listed } from "../queries.ts";

export type Permission = ApiKey["permissions"][number];

const PAGE_SIZE = 100;

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
