import { ANY_SLUG_PATTERN } from "../../../platform/lib/slug.ts";
import { toHeaderKey, type Mapping } from "./fields.ts";
import type { RawRow } from "./import-row.ts";
import { toSlug } from "./short-url.ts";
import { KNOWN_NAMES, ownFieldsOf, type Source } from "./sources.ts";
import { toText } from "./values.ts";
import { readFlag, readState } from "./words.ts";

const SLUG_NAMES: ReadonlySet<string> = new Set(KNOWN_NAMES.find(([field]) => field === "slug")?.[1]);
/** What ids look like, and no slug of a person. */
const ID = /^\d+$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$|^\d{4}-\d{2}-\d{2}$|^\d+[-.]\d+/i;

export interface UnusedSlug {
  column: string;
  line: number;
  slug: string;
}

/**
 * The values of columns that look like slugs, and are not imported. If slugs come from another column, only those whose
 * names say so. `chosen` are the columns that a person has decided about.
 */
export function findUnusedSlugs(
  rows: readonly RawRow[],
  columns: readonly string[],
  mapping: Mapping,
  chosen: ReadonlySet<string>,
  source: Source,
): UnusedSlug[] {
  const used = new Set(Object.values(mapping));
  const own = ownFieldsOf(source);
  const hasSlugs = mapping.slug !== undefined || mapping.shortUrl !== undefined;
  return columns.flatMap((column, index): UnusedSlug[] => {
    const key = toHeaderKey(column);
    if (used.has(column) || chosen.has(column) || own[key] === null) return [];
    if (hasSlugs && !SLUG_NAMES.has(key)) return [];
    const values = rows.flatMap(({ line, cells }) => {
      const text = toText(cells[index]);
      return text === null ? [] : [{ line, text }];
    });
    const isEach = values.every(({ text }) => looksLikeSlug(text));
    const isDistinct = new Set(values.map(({ text }) => text)).size > values.length / 2;
    return isEach && isDistinct ? values.map(({ line, text }) => ({ column, line, slug: text })) : [];
  });
}

function looksLikeSlug(text: string): boolean {
  return ANY_SLUG_PATTERN.test(toSlug(text)) && !ID.test(text) && readFlag(text) === null && readState(text) === null;
}
