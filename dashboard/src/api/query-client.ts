import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

/** How long what was read counts as new. */
const FRESH_MS = 15_000;

const MAX_RETRIES = 2;

/** Whether a repeated request may succeed. The client itself repeats those with 429 and 503. */
function isPassing(status: number): boolean {
  return status === 0 || (status >= 500 && status !== 503);
}

/** The state of the service in this page. Everything in it belongs to one account: switching accounts empties it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => count < MAX_RETRIES && error instanceof ApiError && isPassing(error.status),
    },
    mutations: { networkMode: "always" },
  },
});

/** Reads everything again whose key begins with these resources. */
export async function readAgain(...resources: string[]): Promise<void> {
  await Promise.all(resources.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })));
}
