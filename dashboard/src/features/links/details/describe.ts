import type { Link } from "#dashboard/api/types.ts";
import { formatCountry, formatMoment, LOCALE, lazily } from "#dashboard/lib/format.ts";
import { texts } from "#dashboard/texts/index.ts";

// Sentences about the settings of links. No I/O.

const list = lazily(() => new Intl.ListFormat(LOCALE, { type: "disjunction" }));
const languages = lazily(() => new Intl.DisplayNames([LOCALE], { type: "language" }));

export function formatLanguage(code: string): string {
  try {
    return languages().of(code) ?? code;
  } catch {
    return code;
  }
}

/** `California, United States` is not known to browsers: the code of the region follows its country. */
export function formatRegion(code: string): string {
  const [country = code, part] = code.split("-");
  return part === undefined ? code : `${formatCountry(country)} (${part})`;
}

type Conditions = Partial<Omit<Link["rules"][number], "percentage" | "startsAt" | "endsAt">> & {
  percentage?: number | string | undefined;
  startsAt?: number | null | undefined;
  endsAt?: number | null | undefined;
};

/** The conditions of a rule, such as `in Germany or Austria · on a phone`. */
export function describeConditions(rule: Conditions): string {
  const words = texts.linkDetails.conditions;
  const deviceName = (device: string) => words.deviceNames[device as keyof typeof words.deviceNames];
  const parts = [
    ...sayList(rule.countries, words.countries, formatCountry),
    ...sayList(rule.regions, words.regions, formatRegion),
    ...sayList(rule.languages, words.languages, formatLanguage),
    ...sayList(rule.devices, words.devices, deviceName),
    ...sayList(rule.os, words.os, String),
    ...sayList(rule.referrers, words.referrers, String),
    ...(rule.startsAt == null ? [] : [words.startsAt(formatMoment(rule.startsAt))]),
    ...(rule.endsAt == null ? [] : [words.endsAt(formatMoment(rule.endsAt))]),
    ...(rule.percentage === undefined || rule.percentage === "" ? [] : [words.percentage(String(rule.percentage))]),
  ];
  return parts.length === 0 ? words.none : parts.join(" · ");
}

function sayList(
  values: readonly string[] | undefined,
  say: (text: string) => string,
  name: (value: string) => string,
): string[] {
  return values === undefined || values.length === 0 ? [] : [say(list().format(values.map(name)))];
}
