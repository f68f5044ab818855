import { chooseLanguage, isShown, LANGUAGE_CHOICES } from "../lib/language.ts";
import { language as words } from "../texts/en/language.ts";

/** The choice of a language on pages for people who may not be signed in. */
export function LanguageBar() {
  return (
    <nav aria-label={words.label} className="flex flex-wrap justify-center gap-x-4 px-4 pb-6 text-sm">
      {LANGUAGE_CHOICES.map(([language, name]) => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-current={isShown(language) || undefined}
          className="rounded-sm py-1 text-soft hover:text-ink aria-current:font-semibold aria-current:text-ink"
          onClick={() => chooseLanguage(language)}
        >
          {name}
        </button>
      ))}
    </nav>
  );
}
