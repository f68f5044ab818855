import { queryOptions } from "@tanstack/react-query";
import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";
import { MAX_PAGE_SIZE_ITEMS } from "#src/limits.ts";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { SavedView } from "../../api/types.ts";

export type SearchParams = Record<string, unknown>;

/** The own views and the shared ones: there is at most a page of them. */
export const viewsQuery = (kind: SavedView["kind"]) =>
  queryOptions({
    queryKey: ["saved-views", kind],
    queryFn: async ({ signal }) => {
      const query = { kind, limit: MAX_PAGE_SIZE_ITEMS };
      return (await call<{ views: SavedView[] }>("GET", "/api/account/views", { query, signal })).views;
    },
  });

export async function createView(fields: Pick<SavedView, "kind" | "name" | "query" | "shared">): Promise<SavedView> {
  const { view } = await call<{ view: SavedView }>("POST", "/api/account/views", { body: fields });
  await readViewsAgain();
  return view;
}

export async function updateView(
  id: string,
  changes: Partial<Pick<SavedView, "name" | "query" | "shared">>,
): Promise<void> {
  await call("PATCH", `/api/account/views/${id}`, { body: changes });
  await readViewsAgain();
}

export async function deleteView(id: string): Promise<void> {
  await call("DELETE", `/api/account/views/${id}`);
  await readViewsAgain();
}

const readViewsAgain = () => queryClient.invalidateQueries({ queryKey: ["saved-views"] });

/** The search parameters of a page as its address has them, without the question mark. */
export const toQueryText = (params: SearchParams): string => defaultStringifySearch(params).slice(1);

export const parseQueryText = (query: string): SearchParams => defaultParseSearch(query);
