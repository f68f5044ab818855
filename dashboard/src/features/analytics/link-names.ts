import { queryOptions, useQueries } from "@tanstack/react-query";
import { ApiError, wait } from "../../api/client.ts";
import { linkQuery, readLink } from "../../api/resources.ts";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";

// Each link is a request of its own, and the service limits them (src/links/routes.ts: 60 a minute). The first links are read
// at once, later ones at a pace: at most 40 in any minute, so that the person can still open links.
const MAX_REQUESTS_AT_ONCE = 4;
/** How many links can be read without a pause. */
const MAX_BURST = 10;
/** Between the later ones. */
const SPACING_MS = 2_000;

/** When the links that were asked for would all be read at the pace, Unix milliseconds. */
let paceReachedAt = 0;

/** Resolves when the next link may be read. */
function nextTurn(signal: AbortSignal): Promise<void> {
  const now = Date.now();
  paceReachedAt = Math.max(paceReachedAt, now) + SPACING_MS;
  return wait(Math.max(0, paceReachedAt - now - MAX_BURST * SPACING_MS), signal);
}

const namedLinkQuery = (id: string) =>
  queryOptions({
    ...linkQuery(id),
    queryFn: async ({ signal }) => {
      await nextTurn(signal);
      return readLink(id, signal);
    },
  });

/** The short URLs of links without the scheme, by id, as soon as they are read. Each link is read once. */
export function useLinkNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const results = useQueries({ queries: ids.map((id) => ({ ...linkQuery(id), enabled: false })) });
  const waiting = ids.filter((_, index) => results[index]?.isPending);
  useQueries({ queries: waiting.slice(0, MAX_REQUESTS_AT_ONCE).map(namedLinkQuery) });

  const names = new Map<string, string>();
  for (const [index, id] of ids.entries()) {
    const { data, error } = results[index] ?? {};
    if (data !== undefined) names.set(id, withoutScheme(data.shortUrl));
    else if (error instanceof ApiError && error.status === 404) names.set(id, texts.analytics.values.deleted);
  }
  return names;
}
