import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
} from "@tanstack/react-query";
import { MAX_PAGE_SIZE_ITEMS } from "../../../../src/limits.ts";
import { call } from "../../api/client.ts";
import type { Domain, Link, Links, Tag, Usage } from "../../api/types.ts";
import { toQuery, type LinksView } from "./view.ts";

export type LinkPages = InfiniteData<Links, string | null>;

/** The lists of links that are in the cache have keys that begin so; the third part is the view. */
export const LISTS = ["links", "list"] as const;

/** A page has the service's default of 50 links. The first one has the count. */
const linksQuery = (view: LinksView) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, view] as const,
    queryFn: ({ pageParam, signal }) =>
      call<Links>("GET", "/api/links", {
        query: { ...toQuery(view), cursor: pageParam, count: pageParam === null ? true : undefined },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // The page itself keeps the rows as they are after each change.
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });

/** The links of a view. While another view loads, the rows of the one before stay. */
export function useLinks(view: LinksView) {
  return useInfiniteQuery({ ...linksQuery(view), placeholderData: (previous) => previous });
}

/** A link by its id, for a dialog that was opened by its address. */
export function useLink(id: string | null, loaded: Link | undefined) {
  return useQuery({
    queryKey: ["links", "one", id],
    queryFn: async ({ signal }) => (await call<{ link: Link }>("GET", `/api/links/${id}`, { signal })).link,
    enabled: id !== null,
    ...(loaded !== undefined && { initialData: loaded }),
  });
}

/** The most tags that a list of choices has. Others are found by the beginning of their name. */
const TAG_CHOICES = 50;

export function useTagChoices(prefix: string) {
  return useQuery({
    queryKey: ["tags", "choices", prefix],
    queryFn: ({ signal }) =>
      call<{ tags: Tag[]; nextCursor: string | null }>("GET", "/api/tags", {
        query: { prefix, limit: TAG_CHOICES },
        signal,
      }),
    placeholderData: (previous) => previous,
  });
}

/** The domains that links can have: that of the service, and the verified ones of the account. */
export function useDomainNames() {
  return useQuery({
    queryKey: ["domains", "names"],
    queryFn: async ({ signal }) => {
      const { domains } = await call<{ domains: Domain[] }>("GET", "/api/domains", {
        query: { limit: MAX_PAGE_SIZE_ITEMS },
        signal,
      });
      const verified = domains.filter(({ status }) => status === "verified").map(({ domain }) => domain);
      // Persons can use the pages at the service's own domain only.
      return [location.host, ...verified];
    },
  });
}

export const usageQuery = queryOptions({
  queryKey: ["usage"],
  queryFn: ({ signal }) => call<{ usage: Usage }>("GET", "/api/usage", { signal }),
});
