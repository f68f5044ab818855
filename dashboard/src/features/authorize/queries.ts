import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { AppAnswer, AppRequest } from "../../api/types.ts";

export type { AppRequest };

/** Reads what the app asks for. While it is read for another account, `data` stays that of the account before. */
export function useAppRequest(query: string, accountId: string) {
  const { data, error, refetch } = useQuery({
    queryKey: ["authorize", accountId, query],
    queryFn: ({ signal }) => call<AppRequest>("POST", "/api/auth/apps/describe", { body: { query }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    networkMode: "always",
  });
  // The query has no earlier data: switching the account empties all of them.
  const [newest, setNewest] = useState(data);
  if (data !== undefined && data !== newest) setNewest(data);
  return { data: error === null ? (data ?? newest) : undefined, isReading: data === undefined, error, refetch };
}

export type Answer = Omit<AppAnswer, "query">;

/** Returns the URL at which the app gets the answer. */
export async function answerRequest(query: string, answer: Answer): Promise<string> {
  const body = { query, ...answer };
  return (await call<{ redirectUri: string }>("POST", "/api/auth/apps/decide", { body })).redirectUri;
}
