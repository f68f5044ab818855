import { z } from "@hono/zod-openapi";
import { DEFAULT_PAGE_SIZE_ITEMS, MAX_CURSOR_CHARS, MAX_PAGE_NUMBER, MAX_PAGE_SIZE_ITEMS } from "../limits.ts";
import { isId } from "../lib/uuid.ts";
import { invalidRequest } from "./errors.ts";

const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .refine((number) => number >= 1 && number <= max, `must be from 1 to ${max}`)
    .openapi({ type: "integer", minimum: 1, maximum: max });

/** The query parameters of every list (8.2). */
export const pageQuery = {
  limit: wholeNumber(MAX_PAGE_SIZE_ITEMS)
    .optional()
    .openapi({ description: `Items on a page; ${DEFAULT_PAGE_SIZE_ITEMS} by default.` }),
  cursor: z
    .string()
    .max(MAX_CURSOR_CHARS)
    .optional()
    .openapi({ description: "The `nextCursor` of the page before: stays right while items come and go." }),
  page: wholeNumber(MAX_PAGE_NUMBER)
    .optional()
    .openapi({ description: "The number of a page, for people. Not together with `cursor`." }),
};

/** A list's `nextCursor`. */
export const NextCursor = z
  .string()
  .nullable()
  .openapi({ description: "Pass as `cursor` for the next page; null on the last one." });

/** What a store needs to read one page. */
export interface Page {
  /** Items on a page. */
  limit: number;
  /** Items to pass over; 0 with a cursor. */
  offset: number;
  /** The id of the last item of the page before, */
  after: string | null;
  /** and, in a list that is sorted by a number, what that was. */
  afterValue: number | null;
}

/**
 * The page that a query asks for. `order` names the list and its order: a cursor of another list, or one
 * that does not hold an id, is refused, since it would silently skip or repeat items.
 */
export function readPage(
  query: { limit?: number | undefined; cursor?: string | undefined; page?: number | undefined },
  order: string,
): Page {
  const limit = query.limit ?? DEFAULT_PAGE_SIZE_ITEMS;
  if (query.cursor === undefined)
    return { limit, offset: ((query.page ?? 1) - 1) * limit, after: null, afterValue: null };
  if (query.page !== undefined)
    throw invalidRequest([{ path: "page", message: "give either page or cursor, not both" }]);
  const [after, value] = decodeCursor(query.cursor, order)?.split("=") ?? [];
  if (after === undefined || !isId(after) || !/^\d{0,16}$/.test(value ?? "")) {
    throw invalidRequest([{ path: "cursor", message: "is not a nextCursor of this list; start again without it" }]);
  }
  return { limit, offset: 0, after, afterValue: value === undefined ? null : Number(value) };
}

/**
 * Cuts what was read to one page. Stores read one item more than the page holds, which tells whether
 * another page follows without counting. `keyOf`: an item's id, and in a list that is sorted by a number `=` and that.
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

function encodeCursor(key: string, order: string): string {
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
