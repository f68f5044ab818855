import { foldCase } from "../../platform/lib/fold-case.ts";
import { DIMENSIONS, PART_DIMENSIONS, valuesOf, type Dimension, type ProfilePart } from "../profile.ts";

// Selects clicks by their values. Pure. Values are compared without regard to case.

/** A click passes if its value is in `is`, unless that is empty, and not in `isNot`. The values are those of {@link foldValue}. */
interface ValueFilter {
  is: readonly string[];
  isNot: readonly string[];
}

/** A click must pass all of them. An empty value is unknown. */
export type Filters = Partial<Record<Dimension, ValueFilter>>;

const ASCII = /^[\0-\x7f]*$/;

/** What values are compared by. */
export function foldValue(value: string): string {
  return ASCII.test(value) ? value.toLowerCase() : foldCase(value);
}

/** Returns a function that tells whether a part of a profile passes the filters; null: every part does. */
export function createPartMatcher(filters: Filters, part: ProfilePart): ((text: string) => boolean) | null {
  const wanted = PART_DIMENSIONS[part].flatMap((dimension, index) => {
    const filter = filters[dimension];
    return filter === undefined ? [] : [{ index, is: new Set(filter.is), isNot: new Set(filter.isNot) }];
  });
  if (wanted.length === 0) return null;
  return (text) => {
    const values = valuesOf(text);
    return wanted.every(({ index, is, isNot }) => {
      const value = foldValue(values[index] ?? "");
      return (is.size === 0 || is.has(value)) && !isNot.has(value);
    });
  };
}

/** Returns a function that tells whether JSON of clicks may contain one that passes the filters. It costs less than parsing. */
export function createPreFilter(filters: Filters): (json: string) => boolean {
  const wanted = DIMENSIONS.flatMap((dimension) => {
    const { is = [] } = filters[dimension] ?? {};
    return is.length === 0 ? [] : [is.map((value) => JSON.stringify(value).slice(1, -1))];
  });
  if (wanted.length === 0) return () => true;
  return (json) => {
    // Folding other letters takes longer than parsing.
    if (!ASCII.test(json)) return true;
    const folded = json.toLowerCase();
    return wanted.every((values) => values.some((value) => folded.includes(value)));
  };
}
