import { memoize } from "../../platform/lib/memoize.ts";
import { MAX_KNOWN_TEXTS } from "../../limits.ts";

/**
 * Whether the language of a visitor is one of those that the language of a rule stands for (RFC 4647, 3.3.2): the visitor's has
 * all subtags of the rule's, in their order and perhaps with others between them. `de` stands for `de-at`, and `zh-tw` for
 * `zh-hant-tw`. Both are in lower case.
 */
export function isLanguage(visitor: string, rule: string): boolean {
  if (visitor === rule) return true;
  const [language, ...wanted] = rule.split("-");
  const [own, ...subtags] = subtagsOf(visitor);
  if (own !== language && !(own !== undefined && isNorwegian(own, language))) return false;
  let at = 0;
  for (const subtag of wanted) {
    // A single character begins an extension, whose subtags mean something else.
    while (at < subtags.length && subtags[at] !== subtag && subtags[at]?.length !== 1) at++;
    if (subtags[at] !== subtag) return false;
    at++;
  }
  return true;
}

/** `no` is both Norwegian languages, and by itself mostly Bokmål (CLDR). */
function isNorwegian(visitor: string, rule: string | undefined): boolean {
  return (rule === "no" && (visitor === "nb" || visitor === "nn")) || (rule === "nb" && visitor === "no");
}

/** With the script in which the language is usually written there (CLDR): `zh-tw` is `zh-hant-tw`. The region is not guessed. */
const subtagsOf = memoize(MAX_KNOWN_TEXTS, (tag): string[] => {
  const subtags = tag.split("-");
  try {
    const { script } = new Intl.Locale(tag);
    const likely = new Intl.Locale(tag).maximize().script;
    if (script === undefined && likely !== undefined) subtags.splice(1, 0, likely.toLowerCase());
  } catch {
    // A header may have anything.
  }
  return subtags;
});
