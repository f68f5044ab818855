import { z } from "@hono/zod-openapi";
import { DEFAULT_PAGE_SIZE_ITEMS, MAX_CURSOR_CHARS, MAX_PAGE_NUMBER, MAX_PAGE_SIZE_ITEMS } from "../../limits.ts";
import { AFTER_ALL_IDS, isId } from "../lib/uuid.ts";
import { json } from "./contract.ts";
import { invalidField } from "./errors.ts";
import { because } from "./faults.ts";

/** A positive number in a query. */
export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, because("out_of_range", { min: 1, max }))
    .transform(Number)
    .refine((number) => number >= 1 && number <= max, because("out_of_range", { min: 1, max }))
    .openapi({ type: "integer", minimum: 1, maximum: max });

/** The query parameters of every list. */
export const pageQuery = {
  limit: wholeNumber(MAX_PAGE_SIZE_ITEMS)
    .optional()
    .openapi({ default: DEFAULT_PAGE_SIZE_ITEMS, description: "Number of items on a page." }),
  cursor: z.string().max(MAX_CURSOR_CHARS).optional().openapi({
    description: "The `nextCursor` of the previous page. It stays valid while items are added and removed.",
  }),
  page: wholeNumber(MAX_PAGE_NUMBER)
    .optional()
    .openapi({ default: 1, description: "The page number. It cannot be used together with `cursor`." }),
};

/** A list's `nextCursor`. */
export const NextCursor = z
  .string()
  .nullable()
  .openapi({ description: "The `cursor` of the next page; null on the last page.", example: null });

/** A response with a page of a list. `name` is the member that has the items. */
export function pageOf<N extends string, S extends z.ZodType>(
  name: N,
  item: S,
  itemsDescription: string,
  description: string,
) {
  const items = { [name]: z.array(item).openapi({ description: itemsDescription }) } as Record<N, z.ZodArray<S>>;
  return json(z.object({ ...items, nextCursor: NextCursor }), description);
}

/** One page of a list, as a store reads it. */
export interface Page {
  /** Maximum number of items. */
  limit: number;
  /** Number of items to skip; 0 with a cursor. */
  offset: number;
  /** The id, or another key, of the previous page's last item. */
  after: string | null;
  /** In a list that is sorted by a number: that item's number. */
  afterValue: number | null;
}

/**
 * Reads the page parameters of a query. `order` identifies the list and its order, `isKey` its keys. A cursor of
 * another list is refused, because it would silently skip or repeat items.
 */
export function readPage(
  query: { limit?: number | undefined; cursor?: string | undefined; page?: number | undefined },
  order: string,
  isKey: (text: string) => boolean = isId,
): Page {
  const limit = query.limit ?? DEFAULT_PAGE_SIZE_ITEMS;
  if (query.cursor === undefined)
    return { limit, offset: ((query.page ?? 1) - 1) * limit, after: null, afterValue: null };
  if (query.page !== undefined) throw invalidField("page", "not_together", { field: "cursor" });
  const [after, value] = decodeCursor(query.cursor, order)?.split("=") ?? [];
  if (after === undefined || !isKey(after) || !/^\d{0,16}$/.test(value ?? "")) {
    throw invalidField("cursor", "not_a_cursor");
  }
  return { limit, offset: 0, after, afterValue: value === undefined ? null : Number(value) };
}

/**
 * The values of `id < ? ORDER BY id DESC LIMIT ? OFFSET ?`, which reads a page of a list that is sorted by id, newest
 * first, and one item more, see {@link toPage}.
 */
export function boundsOf(page: Page): [before: string, limit: number, offset: number] {
  return [page.after ?? AFTER_ALL_IDS, page.limit + 1, page.offset];
}

/**
 * Limits the items to one page. Stores read one item more than the page holds, which shows whether another page
 * follows. `keyOf` returns an item's id; in a list that is sorted by a number, `<id>=<number>`.
 */
export function toPage<T>(
  items: T[],
  page: Page,
  order: string,
  keyOf: (item: T) => string,
): { items: T[]; nextCursor: string | null } {
  const last = items[page.limit - 1];
  if (items.length <= page.limit || last === undefined) return { items, nextCursor: null };
  return { items: items.slice(0, page.limit), nextCursor: encodeCursor(keyOf(last), order) };
}

/** The `nextCursor` of a page that ends at `key`. */
export function encodeCursor(key: string, order: string): string {
  return btoa(`${order}:${key}`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decodeCursor(cursor: string, order: string): string | null {
  try {
    const text = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    return text.startsWith(`${order}:`) ? text.slice(order.length + 1) : null;
  } catch {
    return null;
  }
}
