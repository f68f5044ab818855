import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { domainsQuery, namesOfDomains } from "../../api/resources.ts";
import { readTagChoices } from "../../api/tag-choices.ts";
import type { Link } from "../../api/types.ts";
import { usePaused } from "../../lib/paused.ts";
import { withoutScheme } from "../../lib/urls.ts";
import type { Choice } from "../../ui/choices.ts";
import { useAnalytics } from "./context.ts";
import { isSelection, listOf, type ParameterName, type SelectionName } from "./dimensions.ts";
import type { Sums } from "./queries.ts";
import { MIN_SEARCH_CHARS } from "#src/links/limits.ts";

const MAX_FOUND_LINKS = 20;
const TYPING_PAUSE_MS = 200;

interface FilterChoices {
  /** Those that are known now. */
  choices: readonly Choice[];
  isLoading: boolean;
  /** Reads those for exactly this text. */
  read: (text: string) => Promise<readonly Choice[]>;
}

/** The values that one can filter by: tags, domains and links of the account, or values that the page has counted. */
export function useFilterChoices(name: ParameterName, sums: Sums | undefined, input: string): FilterChoices {
  const { nameOf } = useAnalytics();
  const text = input.trim();
  const paused = usePaused(text, TYPING_PAUSE_MS);
  const query = useQuery({
    ...selectionQuery(name, paused),
    enabled: isSelection(name),
    placeholderData: (previous, before) => (before?.queryKey[1] === name ? previous : undefined),
  });
  if (isSelection(name))
    return {
      choices: query.data ?? [],
      isLoading: paused !== text || query.isPending || query.isPlaceholderData,
      read: (typed) => queryClient.fetchQuery(selectionQuery(name, typed)),
    };
  const counted = (sums?.[listOf(name)] ?? []).map(({ value }) => ({ value, label: nameOf(name, value) }));
  return { choices: counted, isLoading: false, read: async () => counted };
}

const selectionQuery = (name: ParameterName, text: string) =>
  queryOptions({
    queryKey: ["filter-choices", name, text],
    queryFn: ({ signal }) => (isSelection(name) ? READERS[name](text, signal) : []),
    networkMode: "always",
  });

const READERS: Record<SelectionName, (text: string, signal: AbortSignal) => Promise<Choice[]>> = {
  tag: async (text) => (await readTagChoices(text)).map(({ name }) => ({ value: name, label: name })),
  domain: async () =>
    namesOfDomains(await queryClient.fetchQuery(domainsQuery)).map((domain) => ({ value: domain, label: domain })),
  linkIds: async (search, signal) => {
    if (search.length < MIN_SEARCH_CHARS) return [];
    const query = { search, limit: MAX_FOUND_LINKS, archived: "include" };
    const { links } = await call<{ links: Link[] }>("GET", "/api/links", { query, signal });
    return links.map(({ id, shortUrl }) => ({ value: id, label: withoutScheme(shortUrl) }));
  },
};
