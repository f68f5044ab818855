import { useQueries } from "@tanstack/react-query";
import { ApiError } from "../../api/client.ts";
import { linkQuery } from "../../api/resources.ts";
import { withoutScheme } from "../../lib/urls.ts";
import { texts } from "../../texts/index.ts";

/** Each link is a request of its own, and the service answers only 60 of them a minute. */
const MAX_REQUESTS_AT_ONCE = 4;

/** The short URLs of links without the scheme, by id, as soon as they are read. Each link is read once. */
export function useLinkNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const results = useQueries({ queries: ids.map((id) => ({ ...linkQuery(id), enabled: false })) });
  const waiting = ids.filter((_, index) => results[index]?.isPending);
  useQueries({ queries: waiting.slice(0, MAX_REQUESTS_AT_ONCE).map(linkQuery) });

  const names = new Map<string, string>();
  for (const [index, id] of ids.entries()) {
    const { data, error } = results[index] ?? {};
    if (data !== undefined) names.set(id, withoutScheme(data.shortUrl));
    else if (error instanceof ApiError && error.status === 404) names.set(id, texts.analytics.values.deleted);
  }
  return names;
}
