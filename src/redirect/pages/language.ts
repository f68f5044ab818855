import { preferredOf } from "../../platform/lib/accept-language.ts";
import { toWait } from "../../platform/lib/describe-wait.ts";
import type { PageTexts } from "./texts/page-texts.ts";

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

export const directionOf = (language: Language): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr");

export async function loadTexts(language: Language): Promise<PageTexts> {
  return (await TEXTS[language]()).texts;
}

/** The language that an Accept-Language header prefers; English if it accepts none of the languages. */
export const preferredLanguage = (header: string | null): Language => preferredOf(header, isLanguage) ?? "en";

function isLanguage(name: string): name is Language {
  return Object.hasOwn(TEXTS, name);
}

/** A wait in words, such as "45 seconds" or "3 minutes". */
export function waitInWords(seconds: number, language: Language): string {
  const { count, unit } = toWait(seconds);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
