import { queryClient } from "../../api/query-client.ts";
import { linkQuery } from "../../api/resources.ts";
import type { Link, Links } from "../../api/types.ts";
import { HELD_LINKS, LINK_LISTS, type LinkPages } from "./queries.ts";
import { compareLinks, matchesView, type LinksView } from "./view.ts";

// Keeps the lists of links as they are after a change, without reading them again.

/** Shows links as they are now, in all lists: new ones are added, and those that no longer belong are left out. */
export function putLinks(links: readonly Link[]): void {
  void queryClient.invalidateQueries({ queryKey: HELD_LINKS });
  const changed = new Map(links.map((link) => [link.id, link]));
  changeLists((data, view) => {
    const known = new Set<string>();
    const pages = data.pages.map((page) => ({
      ...page,
      links: page.links.flatMap((link) => {
        const now = changed.get(link.id);
        if (now === undefined) return [link];
        known.add(link.id);
        return matchesView(now, view) ? [now] : [];
      }),
    }));
    for (const link of links) if (!known.has(link.id) && matchesView(link, view)) insert(pages, link, view);
    return { ...data, pages };
  });
  for (const link of links) queryClient.setQueryData(linkQuery(link.id).queryKey, link);
}

/** Removes deleted links from all lists. */
export function dropLinks(ids: Iterable<string>): void {
  void queryClient.invalidateQueries({ queryKey: HELD_LINKS });
  const gone = new Set(ids);
  changeLists((data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, links: page.links.filter(({ id }) => !gone.has(id)) })),
  }));
}

/** The pages that are read again after a change whose result the page cannot know. */
const REFRESHED_PAGES = 2;

/** Reads the beginning of all lists again. */
export async function refreshLists(): Promise<void> {
  queryClient.setQueriesData<LinkPages>({ queryKey: LINK_LISTS }, (data) =>
    data === undefined
      ? data
      : {
          pages: data.pages.slice(0, REFRESHED_PAGES),
          pageParams: data.pageParams.slice(0, REFRESHED_PAGES),
        },
  );
  await Promise.all([LINK_LISTS, HELD_LINKS].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Reads the list of deleted links again: `dropLinks` takes a deleted link out of the other lists, and puts it into none. */
export async function refreshDeletedList(): Promise<void> {
  await queryClient.invalidateQueries({
    queryKey: LINK_LISTS,
    predicate: ({ queryKey }) => (queryKey[LINK_LISTS.length] as LinksView).status === "deleted",
  });
}

/** Ends reads that are under way, because they could bring back what was before a change. */
export async function stopReadingLists(): Promise<void> {
  await queryClient.cancelQueries({ queryKey: LINK_LISTS });
}

function changeLists(change: (data: LinkPages, view: LinksView) => LinkPages): void {
  for (const [key, data] of queryClient.getQueriesData<LinkPages>({ queryKey: LINK_LISTS })) {
    // A first read that was stopped, or that may bring back what was before the change, begins again.
    if (data === undefined) {
      void queryClient.invalidateQueries({ queryKey: key, exact: true });
      continue;
    }
    const changed = change(data, key[LINK_LISTS.length] as LinksView);
    queryClient.setQueryData<LinkPages>(key, withCount(changed, lengthOf(changed) - lengthOf(data)));
  }
}

/** Adds a link where it belongs. One that comes after all rows that are loaded is read with the next page. */
function insert(pages: Links[], link: Link, view: LinksView): void {
  for (const page of pages) {
    const index = page.links.findIndex((other) => compareLinks(link, other, view) < 0);
    if (index !== -1) return void page.links.splice(index, 0, link);
  }
  const last = pages.at(-1);
  if (last?.nextCursor === null) last.links.push(link);
}

const lengthOf = ({ pages }: LinkPages): number => pages.reduce((sum, { links }) => sum + links.length, 0);

function withCount(data: LinkPages, difference: number): LinkPages {
  const [first, ...others] = data.pages;
  if (first?.count === undefined || !first.count.isExact || difference === 0) return data;
  const count = { ...first.count, value: Math.max(0, first.count.value + difference) };
  return { ...data, pages: [{ ...first, count }, ...others] };
}
