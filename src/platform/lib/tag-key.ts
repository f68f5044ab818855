import { foldCase } from "./fold-case.ts";

/** No tag can contain it. */
const BORDER = "\u007f";

/** What tags are compared by: two names with the same key are the same tag. */
export function toTagKey(name: string): string {
  return foldCase(name);
}

/** The names without those that repeat a tag. The first spelling of a tag is kept. */
export function uniqueTags(names: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of names) if (!byKey.has(toTagKey(name))) byKey.set(toTagKey(name), name);
  return [...byKey.values()];
}

/**
 * The keys of the tags as links and webhooks store them: a JSON array in the order of the names; null without tags. Borders
 * around each key let the search index find whole tags.
 */
export function toTagKeys(names: readonly string[]): string | null {
  return names.length === 0 ? null : JSON.stringify(names.map(toBorderedKey));
}

/** The text by which the search index finds links with the tag: a key in {@link toTagKeys}. */
export function toSearchTerm(name: string): string {
  return JSON.stringify(toBorderedKey(name)).slice(1, -1);
}

export function toBorderedKey(name: string): string {
  return BORDER + toTagKey(name) + BORDER;
}
