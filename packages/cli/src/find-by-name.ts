import { RefusedError, UsageError } from "./errors.ts";
import { isId } from "./links/find-link.ts";
import { PAGE_ROWS } from "./pages.ts";

/** Finds the id of a resource that people name by its id or another text. Throws if there is not exactly one. */
export async function findId<Item extends { id: string }>(
  list: (page: { limit: number }) => AsyncIterable<Item>,
  text: string,
  { noun, matches }: { noun: string; matches: (item: Item) => boolean },
): Promise<string> {
  if (isId(text)) return text;
  const found: Item[] = [];
  for await (const item of list({ limit: PAGE_ROWS })) if (matches(item)) found.push(item);
  const [only] = found;
  if (only === undefined) throw new RefusedError(`There is no ${noun} ${text} in this account.`);
  if (found.length > 1) throw new UsageError(`Several ${noun}s match ${text}. Name one by its id.`);
  return only.id;
}
