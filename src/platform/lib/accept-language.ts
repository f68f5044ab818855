import { MAX_ACCEPT_LANGUAGE_CHARS } from "../../limits.ts";

/**
 * The language that an Accept-Language header prefers among those that `isKnown` permits, by its weights (RFC 9110, 12.5.4). A
 * range such as `de-CH` stands for `de` too (RFC 4647, 3.4), and `*` for English. null: it accepts none of the languages.
 */
export function preferredOf<Name extends string>(
  header: string | null,
  isKnown: (name: string) => name is Name,
): Name | null {
  const ranges = parseRanges(header ?? "");
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ name }) => name));
  const accepted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const { name } of accepted) {
    const language = name === "*" ? "en" : name.replace(/-.*/, "");
    if (isKnown(language) && !refused.has(language)) return language;
  }
  return null;
}

const RANGE = /^\s*(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** A range that is no valid one is left out. */
function parseRanges(header: string): { name: string; weight: number }[] {
  const texts = header.slice(0, MAX_ACCEPT_LANGUAGE_CHARS).split(",");
  // The last one is cut off.
  if (header.length > MAX_ACCEPT_LANGUAGE_CHARS) texts.pop();
  return texts.flatMap((text) => {
    const [, name, weight = "1"] = RANGE.exec(text) ?? [];
    return name === undefined ? [] : [{ name: name.toLowerCase(), weight: Number(weight) }];
  });
}
