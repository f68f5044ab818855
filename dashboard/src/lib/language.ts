import { chosenLanguage, LANGUAGE_COOKIE, LANGUAGES, type AppLanguage } from "#src/languages.ts";
import { putBackLinkToken } from "./link-token.ts";

// The Worker serves the pages of a language (src/lib/browser-language.ts), so another language is another page.

export const LANGUAGE_CHOICES = Object.entries(LANGUAGES) as [AppLanguage, string][];

const MAX_AGE_SECONDS = 400 * 86_400;

export const isShown = (language: AppLanguage): boolean => document.documentElement.lang === language;

/** Keeps the choice in this browser, and loads the page again. null: the language that the browser prefers. */
export function chooseLanguage(language: AppLanguage | null): void {
  keepLanguage(language);
  putBackLinkToken();
  location.reload();
}

/** Keeps the choice in this browser. Returns whether that changes anything. */
export function keepLanguage(language: AppLanguage | null): boolean {
  const before = chosenLanguage(document.cookie);
  const age = language === null ? 0 : MAX_AGE_SECONDS;
  document.cookie = `${LANGUAGE_COOKIE}=${language ?? ""}; Path=/; Max-Age=${age}; SameSite=Lax`;
  return chosenLanguage(document.cookie) !== before;
}
