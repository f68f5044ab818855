import type { Link } from "../../../src/links/contract.ts";
import { call, jsonOf, type ErrorJson } from "../../support/api.ts";

export const URL_OK = "https://example.com/";
export const SOME_ID = "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f";

type Result = { link: Link; success?: true } & ErrorJson;

export async function bulk(
  key: string,
  method: string,
  body: unknown,
): Promise<{ status: number; results: Result[] } & ErrorJson> {
  const response = await call(method, "/api/links/bulk", { key, body });
  return { status: response.status, ...(await jsonOf<{ results: Result[] } & ErrorJson>(response)) };
}

export const create = (key: string, links: unknown[]) => bulk(key, "POST", { links });
export const change = (key: string, ids: unknown, changes: unknown) => bulk(key, "PATCH", { ids, changes });
export const remove = (key: string, ids: unknown) => bulk(key, "DELETE", { ids });

export async function listAll(key: string): Promise<Link[]> {
  return (await jsonOf<{ links: Link[] }>(await call("GET", "/api/links?limit=100", { key }))).links;
}

export async function createMany(key: string, count: number): Promise<Link[]> {
  const links = Array.from({ length: count }, (_, n) => ({
    url: `${URL_OK}${n}`,
    slug: `many-${n}`,
    title: `Page ${n}`,
  }));
  return (await create(key, links)).results.map(({ link }) => link);
}
