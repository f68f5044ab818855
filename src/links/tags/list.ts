import { readPage, toPage } from "../../platform/http/pagination.ts";
import type { ListQuery, Tag } from "./contract.ts";
import { toTagKey } from "../../platform/lib/tag-key.ts";
import * as store from "./store/tags.ts";
import type { RequestContext } from "../../platform/auth/principal.ts";

const LIST = "tags";

/** Returns a page of the account's tags, in the order of their keys. */
export async function listTags(
  { db, principal }: RequestContext,
  query: ListQuery,
): Promise<{ tags: Tag[]; nextCursor: string | null }> {
  const page = readPage(query, LIST, (text) => fromCursor(text) !== null);
  const prefix = query.prefix === undefined ? "" : toTagKey(query.prefix);
  const after = page.after === null ? null : fromCursor(page.after);
  const rows = await store.listTags(db, principal.accountId, { prefix, colored: query.colored }, { ...page, after });
  const { items, nextCursor } = toPage(rows, page, LIST, ({ key }) => encodeURIComponent(key));
  return { tags: items.map(({ name, links, color }) => ({ name, links, color })), nextCursor };
}

/** A cursor only has ASCII. */
function fromCursor(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
