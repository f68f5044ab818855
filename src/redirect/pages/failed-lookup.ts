import type { FailedLookup } from "../lookup/store-in-caches.ts";
import { errorPage } from "./error-page.ts";
import type { PageRequest } from "./page.ts";

/** The page for a link or a domain that may or may not exist. It never says that there is none. */
export function failedLookupPage(incoming: PageRequest, failure: FailedLookup): Promise<Response> {
  if (failure.outcome === "unavailable") return errorPage(incoming, "unavailable");
  const { reason, waitSeconds } = failure;
  const headers = { "Retry-After": String(waitSeconds) };
  if (reason === "search") return errorPage(incoming, "too_many_unknown", { waitSeconds, headers });
  // Only a GET gets the page that loads itself again. The data of a form would be lost.
  if (incoming.request.method !== "GET") return errorPage(incoming, "unavailable", { headers });
  return errorPage(incoming, "unavailable", {
    headers,
    head: `<meta http-equiv="refresh" content="${waitSeconds}">`,
    render: ({ retrying }) => `<p>${retrying}</p>`,
  });
}
