import type { Link } from "../../../src/links/contract.ts";
import type { Answer } from "./http.ts";
import type { Isolate } from "./service.ts";

export { addKey, createAccount } from "../../support/accounts.ts";

/** Calls the API with a key. */
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

/** Creates a link through the API. */
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
