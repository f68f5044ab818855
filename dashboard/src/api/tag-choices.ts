import { useQuery } from "@tanstack/react-query";
import { MAX_TAG_CHARS } from "#src/limits.ts";
import { usePaused } from "../lib/paused.ts";
import { queryClient } from "./query-client.ts";
import { tagsQuery } from "./resources.ts";
import type { Tag } from "./types.ts";

const TYPING_PAUSE_MS = 200;

const queryFor = (text: string) => tagsQuery(text.trim().slice(0, MAX_TAG_CHARS));

/** The tags whose names begin with the text. While they load, those of the text before. */
export function useTagChoices(text: string): { tags: readonly Tag[]; isLoading: boolean } {
  const paused = usePaused(text, TYPING_PAUSE_MS);
  const query = useQuery({ ...queryFor(paused), placeholderData: (previous) => previous });
  return { tags: query.data ?? [], isLoading: paused !== text || query.isPending || query.isPlaceholderData };
}

/** The same as a promise, for what waits for them. */
export function readTagChoices(text: string): Promise<readonly Tag[]> {
  return queryClient.fetchQuery(queryFor(text));
}
