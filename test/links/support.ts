import { beforeEach, expect } from "vitest";
import type { Link } from "../../src/links/contract.ts";
import { call, createAccount, jsonOf, type ErrorJson } from "../support/api.ts";
import { insertDomain } from "../support/domains.ts";

export const URL_OK = "https://example.com/";
export const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";
export const DOMAIN = "go.example";

type Result = { link: Link; success?: true } & ErrorJson;

/** A status, and those members of the body that the response has. */
type ApiResponse = { status: number; link: Link; links: Link[]; results: Result[] } & ErrorJson;

/** Calls the API with a key. */
export async function api(key: string, method: string, path: string, body?: unknown): Promise<ApiResponse> {
  const response = await call(method, path, { key, body });
  return { status: response.status, ...(await jsonOf<Omit<ApiResponse, "status">>(response)) };
}

export const update = (key: string, id: string, body: unknown) => api(key, "PATCH", `/api/links/${id}`, body);

/** Calls of two accounts. {@link DOMAIN} is a verified domain of the first one. */
export function twoAccounts() {
  const accounts = { mine: { accountId: 0, key: "" }, theirs: { accountId: 0, key: "" } };
  const { mine, theirs } = accounts;
  beforeEach(async () => {
    Object.assign(mine, await createAccount());
    Object.assign(theirs, await createAccount());
    await insertDomain(mine.accountId, DOMAIN);
  });
  const callApi = (method: string, path: string, body?: unknown, { key } = mine) => api(key, method, path, body);
  const create = (fields: object, account = mine) => callApi("POST", "/api/links", { url: URL_OK, ...fields }, account);
  return { mine, theirs, api: callApi, create };
}

export const bulk = (key: string, method: string, body: unknown) => api(key, method, "/api/links/bulk", body);
export const createBulk = (key: string, links: unknown[]) => bulk(key, "POST", { links });
export const updateBulk = (key: string, ids: unknown, changes: unknown) => bulk(key, "PATCH", { ids, changes });
export const deleteBulk = (key: string, ids: unknown) => bulk(key, "DELETE", { ids });

export async function listAll(key: string): Promise<Link[]> {
  return (await jsonOf<{ links: Link[] }>(await call("GET", "/api/links?limit=100", { key }))).links;
}

export async function createMany(key: string, count: number): Promise<Link[]> {
  const links = Array.from({ length: count }, (_, n) => ({
    url: `${URL_OK}${n}`,
    slug: `many-${n}`,
    title: `Page ${n}`,
  }));
  return (await createBulk(key, links)).results.map(({ link }) => link);
}

export interface Page {
  links: Link[];
  nextCursor: string | null;
}

/** A page of the list of links. `query` begins with `?`. */
export async function list(key: string, query = ""): Promise<Page> {
  const response = await call("GET", `/api/links${query}`, { key });
  expect(response.status, await response.clone().text()).toBe(200);
  return jsonOf<Page>(response);
}

/** The slugs of that page. */
export async function slugs(key: string, query = ""): Promise<string[]> {
  return (await list(key, query)).links.map(({ slug }) => slug);
}
