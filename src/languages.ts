/**
 * The languages of the dashboard, of the home page and of mails to persons, as in `lang`, each with its own name. A language has its
 * texts in `dashboard/src/texts`.
 */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;

export type AppLanguage = keyof typeof LANGUAGES;

export const isAppLanguage = (name: string): name is AppLanguage => Object.hasOwn(LANGUAGES, name);

/** The cookie of the language that was chosen in a browser. The dashboard sets it (dashboard/src/lib/language.ts). */
export const LANGUAGE_COOKIE = "tern-language";
