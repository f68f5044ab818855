import { COUNTRY_CODES } from "#src/links/normalize.ts";
import { formatCountry } from "#dashboard/lib/format.ts";
import type { Choice } from "#dashboard/ui/choices.ts";
import { formatLanguage } from "../details/describe.ts";

// What rules can be made of, by name in the person's language.

const toOptions = (codes: Iterable<string>, format: (code: string) => string): Choice[] =>
  Array.from(codes, (value) => ({ value, label: format(value) })).sort((a, b) => a.label.localeCompare(b.label));

export const COUNTRY_CHOICES: readonly Choice[] = toOptions(COUNTRY_CODES, formatCountry);

/** Others can be typed as codes. */
const COMMON_LANGUAGES =
  "ar bg bn ca cs da de de-AT de-CH el en en-GB en-US es es-MX et fa fi fr fr-CA he hi hr hu id it ja ko lt lv ms nb nl pl pt pt-BR ro ru sk sl sr sv sw ta te th tr uk ur vi zh zh-Hans zh-Hant";

export const COMMON_LANGUAGE_CHOICES: readonly Choice[] = toOptions(COMMON_LANGUAGES.split(" "), formatLanguage);
