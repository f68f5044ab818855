import { useQuery } from "@tanstack/react-query";
import { destinationError, withScheme } from "#src/links/destination-url.ts";
import { ANY_SLUG_PATTERN } from "#src/platform/lib/slug.ts";
import { call } from "#dashboard/api/client.ts";
import { accountQuery, verifiedDomainsQuery } from "#dashboard/api/resources.ts";
import type { Domain, Link, SlugCheck } from "#dashboard/api/types.ts";
import { usePaused } from "#dashboard/lib/paused.ts";

const TYPING_PAUSE_MS = 350;
/** The account's settings and domains seldom change. */
const SELDOM_MS = 5 * 60_000;
const SHOWN_DUPLICATES = 3;

export function useLinkDefaults() {
  const { data } = useQuery({ ...accountQuery, staleTime: SELDOM_MS });
  return data?.linkDefaults ?? null;
}

/** The verified domains of the account. */
export function useVerifiedDomains(): Domain[] {
  const { data = [] } = useQuery({ ...verifiedDomainsQuery, staleTime: SELDOM_MS });
  return data;
}

/** Whether a link can have the slug. Answers for former texts are ignored, because each text has its own key. */
export function useSlugCheck(slug: string, domain: string, isChecked: boolean) {
  const settled = usePaused(`${domain} ${slug}`, TYPING_PAUSE_MS);
  const isSettled = settled === `${domain} ${slug}`;
  const query = useQuery({
    queryKey: ["slugs", domain, slug],
    queryFn: ({ signal }) =>
      call<{ slug: SlugCheck }>("GET", `/api/slugs/${encodeURIComponent(slug)}`, { query: { domain }, signal }),
    enabled: isChecked && isSettled && ANY_SLUG_PATTERN.test(slug),
  });
  return {
    check: isSettled && isChecked ? query.data?.slug : undefined,
    isChecking: isChecked && (!isSettled || query.isFetching),
  };
}

/** The keys of what {@link useDuplicates} reads begin so. */
export const SAME_DESTINATION = ["links", "same-destination"] as const;

/** The account's links that already have this destination. */
export function useDuplicates(url: string, exceptId: string | undefined): Link[] {
  const settled = usePaused(withScheme(url.trim()), TYPING_PAUSE_MS);
  const isUrl = destinationError(settled) === null;
  const { data } = useQuery({
    queryKey: [...SAME_DESTINATION, settled],
    queryFn: ({ signal }) =>
      call<{ links: Link[] }>("GET", "/api/links", { query: { url: settled, limit: SHOWN_DUPLICATES }, signal }),
    enabled: isUrl,
  });
  if (!isUrl || settled !== withScheme(url.trim())) return [];
  return data?.links.filter(({ id }) => id !== exceptId) ?? [];
}
