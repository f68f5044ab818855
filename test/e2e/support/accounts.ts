import { PERMISSIONS } from "../../../src/auth/permissions.ts";
import { generateKey, hashKey, lastFour } from "../../../src/auth/key.ts";
import { insertKey } from "../../../src/keys/store.ts";
import { newId } from "../../../src/lib/uuid.ts";
import type { Link } from "../../../src/links/contract.ts";
import type { Answer } from "./http.ts";
import type { Isolate } from "./service.ts";

/** A new account with a key that may do everything. */
export async function createAccount(db: D1Database): Promise<{ accountId: number; key: string; keyId: string }> {
  const accountId = await db
    .prepare("INSERT INTO accounts (uuid, name, created_at) VALUES (?1, 'test', 0) RETURNING id")
    .bind(newId(Date.now()))
    .first<number>("id");
  if (accountId === null) throw new Error("no account");
  return { accountId, ...(await addKey(db, accountId)) };
}

export async function addKey(
  db: D1Database,
  accountId: number,
  expiresAt: number | null = null,
): Promise<{ key: string; keyId: string }> {
  const key = generateKey();
  const keyId = newId(Date.now());
  const hash = await hashKey(key);
  const stored = { id: keyId, accountId, name: "test", hash, lastFour: lastFour(key), permissions: PERMISSIONS };
  if ((await insertKey(db, { ...stored, expiresAt }, 0)) === null) throw new Error("no place for another key");
  return { key, keyId };
}

/** A call to the API with a key. */
export function callApi(
  isolate: Isolate,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return isolate.request(method, path, {
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** A link made through the API. */
export async function createLink(isolate: Isolate, key: string, fields: Record<string, unknown>): Promise<Link> {
  const answer = await callApi(isolate, key, "POST", "/api/links", fields);
  if (answer.status !== 201) throw new Error(`create link: ${answer.status} ${answer.text}`);
  return (answer.json() as { link: Link }).link;
}

export async function updateLink(isolate: Isolate, key: string, id: string, fields: object): Promise<void> {
  const answer = await callApi(isolate, key, "PATCH", `/api/links/${id}`, fields);
  if (answer.status !== 200) throw new Error(`update link: ${answer.status} ${answer.text}`);
}

export async function deleteLink(isolate: Isolate, key: string, id: string): Promise<void> {
  const answer = await callApi(isolate, key, "DELETE", `/api/links/${id}`);
  if (answer.status !== 200) throw new Error(`delete link: ${answer.status} ${answer.text}`);
}
