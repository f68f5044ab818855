import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call } from "#dashboard/api/client.ts";
import { factorsQuery } from "#dashboard/api/resources.ts";
import { queryClient } from "#dashboard/api/query-client.ts";
import type { SecondFactors, SessionPage } from "#dashboard/api/types.ts";

export function useFactors() {
  return useQuery(factorsQuery);
}

/** Changes what the page shows of the factors until they are read again. */
export function setFactors(change: (factors: SecondFactors) => SecondFactors): void {
  queryClient.setQueryData(factorsQuery.queryKey, (factors) => factors && change(factors));
}

const SESSIONS = ["sessions"] as const;

export function useSessions() {
  return useInfiniteQuery({
    queryKey: SESSIONS,
    queryFn: ({ pageParam, signal }) =>
      call<SessionPage>("GET", "/api/auth/sessions", { query: { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Reads the factors and the sessions again, which a change renews, and the apps and shared pages, which it may end. */
export async function readAgain(): Promise<void> {
  const keys = [factorsQuery.queryKey, SESSIONS, ["apps"], ["shared-pages"]];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Whether a person keeps a second factor when one of this kind is removed. */
export function hasOneFactor({ totp, passkeys }: SecondFactors): boolean {
  return Number(totp) + passkeys.length === 1;
}
