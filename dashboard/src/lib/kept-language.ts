import { chosenLanguage, LANGUAGE_COOKIE, type AppLanguage } from "#src/platform/languages.ts";

const MAX_AGE_SECONDS = 400 * 86_400;

/**
 * Keeps the choice in this browser, for the Worker (src/platform/lib/browser-language.ts). null: the language that the browser prefers.
 * Returns whether that changes anything.
 */
export function keepLanguage(language: AppLanguage | null): boolean {
  const before = chosenLanguage(document.cookie);
  const age = language === null ? 0 : MAX_AGE_SECONDS;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${LANGUAGE_COOKIE}=${language ?? ""}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
  return chosenLanguage(document.cookie) !== before;
}
