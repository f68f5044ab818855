import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ApiError, call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import type { Clicks } from "../../api/types.ts";
import type { List } from "./dimensions.ts";
import { pathOf, type Source } from "./source.ts";
import { comparisonQuery, periodQuery, type View } from "./view.ts";
import { MAX_VALUE_PAGES } from "#src/clicks/analytics/limits.ts";

/** Totals of clicks. Those of a shared page have no single clicks. */
export type Sums = Omit<Clicks, "recent"> & Partial<Pick<Clicks, "recent">>;

/** Everything that {@link useClicks} has read. */
export const CLICKS = ["clicks"] as const;

/** The shared pages that a viewer has opened: the keys of what is known of them begin so. */
export const VIEWED_PAGES = ["shared"] as const;

async function readClicks(path: string, query: object, signal: AbortSignal): Promise<Sums> {
  try {
    return (await call<{ clicks: Sums }>("GET", path, { query: { ...query }, signal })).clicks;
  } catch (error) {
    // The viewer of a shared page has to enter its password again: the page itself asks for it.
    if (error instanceof ApiError && error.code === "password_required")
      void queryClient.resetQueries({ queryKey: VIEWED_PAGES });
    throw error;
  }
}

/** The totals of a view, with those that it compares them with. The old ones stay until the new ones are there. */
export function useClicks(source: Source, view: View) {
  const path = pathOf(source);
  const query = { ...periodQuery(view), ...view.filters, ...comparisonQuery(view), weekHours: true };
  return useQuery({
    queryKey: [...CLICKS, path, query],
    queryFn: ({ signal }) => readClicks(path, query, signal),
    placeholderData: keepPreviousData,
  });
}

/** Whether there ever was a click. Undefined until it is known. */
export function useHasClicks(source: Source, enabled: boolean): boolean | undefined {
  const path = pathOf(source);
  const { data } = useQuery({
    queryKey: [...CLICKS, path, "ever"],
    queryFn: ({ signal }) => readClicks(path, { interval: "all" }, signal),
    enabled,
  });
  return data && data.total + data.bots > 0;
}

/** All values of a list, a page at a time. */
export function useValues(source: Source, view: View, list: List) {
  const path = pathOf(source);
  const query = { ...periodQuery(view), ...view.filters };
  return useInfiniteQuery({
    queryKey: [...CLICKS, path, query, "pages"],
    queryFn: ({ pageParam, signal }) => readClicks(path, { ...query, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (last, pages) =>
      (last.others[list] ?? 0) > 0 && (last[list]?.length ?? 0) > 0 && pages.length < MAX_VALUE_PAGES
        ? pages.length + 1
        : undefined,
  });
}
