import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import type { Links } from "../../api/types.ts";
import { texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { HELD_LINKS, type useLinks } from "./queries.ts";
import { DEFAULT_VIEW, hasFilters, matchesView, NO_FILTERS, toQuery, VERDICTS, type LinksView } from "./view.ts";

/** Verdicts change seldom. */
const COUNT_FRESH_MS = 5 * 60_000;

/** The changes of a view that show the links from which visitors are kept. */
const SHOWN = { ...NO_FILTERS, verdicts: VERDICTS } as const satisfies Partial<LinksView>;
const HELD: LinksView = { ...DEFAULT_VIEW, ...SHOWN };

interface HeldLinksProps {
  view: LinksView;
  list: ReturnType<typeof useLinks>;
  onChange: (changes: Partial<LinksView>) => void;
}

/** How many links are blocked or warned of, if any are. */
export function HeldLinks({ view, list, onChange }: HeldLinksProps) {
  const isHidden = view.verdicts.length > 0 || view.status === "deleted";
  const count = useCount(view, list, isHidden);
  if (count === undefined || count.value === 0 || isHidden) return null;
  const words = texts.heldLinks;
  return (
    <Notice
      kind="warn"
      className="mb-3"
      title={words.count(count.value, count.isExact)}
      action={
        <Button size="small" onClick={() => onChange(SHOWN)}>
          {words.show}
        </Button>
      }
    />
  );
}

/**
 * Asks the service unless the list is whole and shows none. What is taken down with its account or its domain is not counted: the
 * filter does not find it.
 */
function useCount(view: LinksView, list: HeldLinksProps["list"], isHidden: boolean): Links["count"] {
  const isLoaded = list.isSuccess && !list.isPlaceholderData;
  const isWhole = isLoaded && !list.hasNextPage && !hasFilters(view);
  const isNone = isWhole && !list.data.pages.some((page) => page.links.some((link) => matchesView(link, HELD)));
  const { data } = useQuery({
    queryKey: HELD_LINKS,
    queryFn: async ({ signal }) => {
      const query = { ...toQuery(HELD), count: true, limit: 1 };
      return (await call<Links>("GET", "/api/links", { query, signal })).count;
    },
    staleTime: COUNT_FRESH_MS,
    enabled: isLoaded && !isNone && !isHidden,
  });
  return isNone ? undefined : data;
}
