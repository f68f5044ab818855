import { infiniteQueryOptions, useInfiniteQuery, useQuery, type InfiniteData } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { linkQuery } from "../../api/resources.ts";
import type { Link, Links } from "../../api/types.ts";
import { rememberCreators } from "./creators.ts";
import type { Display } from "./display.ts";
import { toQuery, type LinksView } from "./view.ts";

export type LinkPages = InfiniteData<Links, string | null>;

/** The lists of links that are in the cache have keys that begin so; the third part is the view. */
export const LINK_LISTS = ["links", "list"] as const;

/** The number of links that are blocked or shown with a warning. */
export const HELD_LINKS = ["links", "held"] as const;

/** A page has the service's default of 50 links. The first one has the count. */
const linksQuery = (view: LinksView, namesCreators: boolean) =>
  infiniteQueryOptions({
    queryKey: [...LINK_LISTS, view, namesCreators] as const,
    queryFn: async ({ pageParam, signal }) => {
      const asked = {
        cursor: pageParam,
        count: pageParam === null ? true : undefined,
        creators: namesCreators ? true : undefined,
      };
      const page = await call<Links>("GET", "/api/links", { query: { ...toQuery(view), ...asked }, signal });
      rememberCreators(page.creators);
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // The page itself keeps the rows as they are after each change.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });

/** The links of a view. While another view loads, the rows of the one before stay. */
export function useLinks(view: LinksView, { columns }: Display) {
  const namesCreators = columns.includes("createdBy") || view.createdBy.length > 0;
  return useInfiniteQuery({ ...linksQuery(view, namesCreators), placeholderData: (previous) => previous });
}

/** A link by its id, for a dialog that was opened by its address. */
export function useLink(id: string | null, loaded: Link | undefined) {
  return useQuery({
    ...linkQuery(id ?? ""),
    enabled: id !== null,
    ...(loaded !== undefined && { initialData: loaded }),
  });
}
