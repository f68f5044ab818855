import { useQuery } from "@tanstack/react-query";
import type { TagColor } from "#src/links/tags/colors.ts";
import { toTagKey } from "#src/platform/lib/tag-key.ts";
import { MAX_COLORED_TAGS_PER_ACCOUNT } from "#src/limits.ts";
import { call } from "./client.ts";
import type { Tag } from "./types.ts";

const toColors = (tags: readonly Tag[]) => new Map(tags.map(({ name, color }) => [toTagKey(name), color]));

/** Returns the colour of a tag of the account. Nothing is read while there are no tags to show. */
export function useTagColor(hasTags: boolean): (tag: string) => TagColor | null {
  const { data } = useQuery({
    queryKey: ["tags", "colored"],
    queryFn: async ({ signal }) => {
      const query = { colored: true, limit: MAX_COLORED_TAGS_PER_ACCOUNT };
      return (await call<{ tags: Tag[] }>("GET", "/api/tags", { query, signal })).tags;
    },
    select: toColors,
    enabled: hasTags,
  });
  return (tag) => data?.get(toTagKey(tag)) ?? null;
}
