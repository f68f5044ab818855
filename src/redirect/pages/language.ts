import { toWait } from "../../lib/describe-wait.ts";
import type { PageTexts } from "./texts/page-texts.ts";
import { MAX_ACCEPT_LANGUAGE_CHARS } from "../limits.ts";

// The languages of the pages that visitors see. The texts of a language are evaluated when a visitor first needs them.

const TEXTS = {
  en: () => import("./texts/en.ts"),
  de: () => import("./texts/de.ts"),
  es: () => import("./texts/es.ts"),
  fr: () => import("./texts/fr.ts"),
  pt: () => import("./texts/pt.ts"),
  it: () => import("./texts/it.ts"),
  ja: () => import("./texts/ja.ts"),
  ar: () => import("./texts/ar.ts"),
};

/** As in `lang` and `Content-Language`. */
export type Language = keyof typeof TEXTS;

export const DEFAULT_LANGUAGE = "en";

export const directionOf = (language: Language): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr");

export async function loadTexts(language: Language): Promise<PageTexts> {
  return (await TEXTS[language]()).texts;
}

/**
 * The language that an Accept-Language header prefers, by its weights (RFC 9110, 12.5.4). A range such as `de-CH` stands for
 * `de` too (RFC 4647, 3.4). English if the header accepts none of the languages.
 */
export function preferredLanguage(header: string | null): Language {
  return preferredOf(header, isLanguage);
}

/** As {@link preferredLanguage}, among the languages that `isKnown` permits. English is one of them. */
export function preferredOf<Name extends string>(
  header: string | null,
  isKnown: (name: string) => name is Name,
): Name | typeof DEFAULT_LANGUAGE {
  const ranges = parseRanges(header ?? "");
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(({ name }) => name));
  const accepted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const { name } of accepted) {
    const language = name === "*" ? DEFAULT_LANGUAGE : name.replace(/-.*/, "");
    if (isKnown(language) && !refused.has(language)) return language;
  }
  return DEFAULT_LANGUAGE;
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(TEXTS, name);
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

/** A wait in words, such as "45 seconds" or "3 minutes". */
export function waitInWords(seconds: number, language: Language): string {
  const { count, unit } = toWait(seconds);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
