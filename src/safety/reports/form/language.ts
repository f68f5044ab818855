import { preferredLanguage, type Language } from "../../../redirect/pages/language.ts";
import type { ReportTexts } from "./texts/report-texts.ts";

const TEXTS: Record<Language, () => Promise<{ texts: ReportTexts }>> = {
  en: () => import("./texts/en.ts"),
  de: () => import("./texts/de.ts"),
  es: () => import("./texts/es.ts"),
  fr: () => import("./texts/fr.ts"),
  pt: () => import("./texts/pt.ts"),
  it: () => import("./texts/it.ts"),
  ja: () => import("./texts/ja.ts"),
  ar: () => import("./texts/ar.ts"),
};

/** The words of the pages in the language that the visitor prefers. */
export async function loadReportTexts({ headers }: Request): Promise<{ language: Language; texts: ReportTexts }> {
  const language = preferredLanguage(headers.get("Accept-Language"));
  const { texts } = await TEXTS[language]();
  return { language, texts };
}
