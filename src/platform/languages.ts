/**
 * The languages of the dashboard and of the home page, as in `lang`, each with its own name. A language has its texts in
 * `dashboard/src/texts`.
 */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español", ar: "العربية" } as const;

export type AppLanguage = keyof typeof LANGUAGES;

export const isAppLanguage = (name: string): name is AppLanguage => Object.hasOwn(LANGUAGES, name);

/** In which direction a language is written, as in `dir`. */
export const directionOf = (language: string): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr");

/** The cookie of the language that was chosen in a browser. The dashboard sets it (dashboard/src/lib/language.ts). */
export const LANGUAGE_COOKIE = "tern-language";

const CHOSEN = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=([a-z]+)`);

/** The language that was chosen in a browser, from its cookies as one text; null: none, or one that there is not. */
export function chosenLanguage(cookies: string): AppLanguage | null {
  const [, name = ""] = CHOSEN.exec(cookies) ?? [];
  return isAppLanguage(name) ? name : null;
}

/** Whether a path, with or without its first slash, is of the console of operators: it is in English only. */
export const isConsole = (path: string): boolean => /^\/?app\/admin(?:[/?#]|$)/.test(path);
