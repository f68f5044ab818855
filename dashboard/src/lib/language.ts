import { LANGUAGES, type AppLanguage } from "#src/platform/languages.ts";
import { keepLanguage } from "./kept-language.ts";
import { putBackLinkToken } from "./link-token.ts";

// The Worker serves the pages of a language (src/platform/lib/browser-language.ts), so another language is another page.

export const LANGUAGE_CHOICES = Object.entries(LANGUAGES) as [AppLanguage, string][];

export const isShown = (language: AppLanguage): boolean => document.documentElement.lang === language;

/** Keeps the choice in this browser, and loads the page again. null: the language that the browser prefers. */
export function chooseLanguage(language: AppLanguage | null): void {
  keepLanguage(language);
  putBackLinkToken();
  location.reload();
}
