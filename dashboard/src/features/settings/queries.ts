import { useInfiniteQuery, type UseQueryResult } from "@tanstack/react-query";
import { call, type Query } from "../../api/client.ts";

/** A list of the API, as far as its pages are loaded. */
export interface Listed<Item> {
  /** Undefined before the first page. */
  items: Item[] | undefined;
  error: Error | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  retry: () => void;
}

interface ListOptions {
  query?: Query;
  /** How often the list is read again while the page is visible. */
  refreshMs?: number;
  enabled?: boolean;
}

/** A page of a list, as the API returns it. */
type PageOf<Item> = Record<string, Item[]> & { nextCursor: string | null };

/** Reads a list of the API page by page. `name` is the member of the response with the items. */
export function useList<Item>(
  key: readonly unknown[],
  path: string,
  name: string,
  { query = {}, refreshMs, enabled = true }: ListOptions = {},
): Listed<Item> & { lastPage: object | undefined } {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [...key, query],
    queryFn: ({ pageParam, signal }) =>
      call<PageOf<Item>>("GET", path, { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    enabled,
    ...(refreshMs !== undefined && { refetchInterval: refreshMs }),
  });
  return {
    items: data?.pages.flatMap((page) => page[name] ?? []),
    lastPage: data?.pages.at(-1),
    error,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  };
}

/** A list that the API gives on one page. */
export function toListed<Item>({ data, error, refetch }: UseQueryResult<Item[]>): Listed<Item> {
  return {
    items: data,
    error,
    hasMore: false,
    isLoadingMore: false,
    loadMore: () => undefined,
    retry: () => void refetch(),
  };
}
