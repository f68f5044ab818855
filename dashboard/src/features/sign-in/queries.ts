import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, call } from "../../api/client.ts";
import { maybeSignedIn } from "../../session.ts";
import type { ReceivedInvitation, SessionResponse } from "../../api/types.ts";

/** Who is signed in. `data` is null for nobody. It is not read at first if the Worker saw that the browser has no session. */
export function useVisitor() {
  return useQuery({
    queryKey: ["visitor"],
    queryFn: async ({ signal }) => {
      try {
        return await call<SessionResponse>("GET", "/api/auth/session", { signal });
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
    ...(!maybeSignedIn() && { initialData: null, refetchOnMount: false }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Sends the token of a link when its page opens, once. Returns the error, and what sends it again. */
export function useSendOnce(send: () => Promise<void>): { error: unknown; retry: () => void } {
  const [error, setError] = useState<unknown>(null);
  const started = useRef(false);
  const start = () => {
    setError(null);
    send().catch(setError);
  };
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    start();
  });
  return { error, retry: start };
}

/** What the token of an invitation is for. Reads nothing without a token. */
export function useReceivedInvitation(token: string | null) {
  return useQuery({
    queryKey: ["invitation", token],
    queryFn: async ({ signal }) => {
      const body = { token };
      const { invitation } = await call<{ invitation: ReceivedInvitation }>("POST", "/api/auth/invitation", {
        body,
        signal,
      });
      return invitation;
    },
    enabled: token !== null,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Whether the token of a link is the reason: it was used, has expired or was replaced. */
export function isDeadToken(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ path }) => path === "token" || path === "invitation");
}
