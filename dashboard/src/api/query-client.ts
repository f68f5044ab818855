import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

/** How long what was read counts as new. */
const FRESH_MS = 15_000;

/** The state of the service in this page. Everything in it belongs to one account: switching accounts empties it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // The client repeats what was limited by itself.
      retry: (count, error) => count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
    },
    mutations: { networkMode: "always" },
  },
});
