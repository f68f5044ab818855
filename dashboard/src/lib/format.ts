// Numbers and dates in the language of the texts, as they are written in the region of the browser's language. All times are Unix milliseconds.

/** Tests have no document. */
const { document } = globalThis as { document?: { documentElement: { lang: string } } };
export const LOCALE = toLocale(document?.documentElement.lang ?? "en", navigator.language);

/** The language of the texts as in the region of the browser's language: English is `en-AT` where the browser has `de-AT`. */
function toLocale(ofTexts: string, browser: string): string {
  if (ofTexts !== "ar" && browser.split("-")[0] === ofTexts) return browser;
  // Not for every page: its first use takes some milliseconds.
  const locale = new Intl.Locale(browser).maximize();
  // The texts have these digits, in every country.
  if (ofTexts === "ar") return `ar-${locale.region ?? "EG"}-u-ca-gregory-nu-latn`;
  return locale.region === undefined ? browser : `${ofTexts}-${locale.region}`;
}

/** Makes a value when it is first asked for. A formatter of `Intl` takes some milliseconds, and a screen needs few of them. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

const numbers = (options?: Intl.NumberFormatOptions) => lazily(() => new Intl.NumberFormat(LOCALE, options));
const dates = (options: Intl.DateTimeFormatOptions) => lazily(() => new Intl.DateTimeFormat(LOCALE, options));

const count = numbers();
const compact = numbers({ notation: "compact", maximumFractionDigits: 1 });
const percent = numbers({ style: "percent", maximumFractionDigits: 0 });
const change = numbers({ style: "percent", maximumFractionDigits: 0, signDisplay: "exceptZero" });
const bytes = numbers({ style: "unit", unit: "megabyte", maximumFractionDigits: 1 });
const gigabytes = numbers({ style: "unit", unit: "gigabyte", maximumFractionDigits: 1 });
const kilobytes = numbers({ style: "unit", unit: "kilobyte", maximumFractionDigits: 1 });
const day = dates({ dateStyle: "medium" });
const moment = dates({ dateStyle: "medium", timeStyle: "short" });
const time = dates({ timeStyle: "short" });
const relative = lazily(() => new Intl.RelativeTimeFormat(LOCALE));
const justNow = lazily(() => new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" }).format(0, "second"));
const regions = lazily(() => new Intl.DisplayNames([LOCALE], { type: "region" }));

/** 1,234 */
export const formatCount = (value: number): string => count().format(value);
/** 1.2K */
export const formatCompact = (value: number): string =>
  value < 10_000 ? count().format(value) : compact().format(value);
/** 12% of a share between 0 and 1 */
export const formatPercent = (share: number): string => percent().format(share);
/** +12% */
export const formatChange = (ratio: number): string => change().format(ratio);
export const formatMegabytes = (size: number): string => bytes().format(size / 1_000_000);
/** 340 kB, 1.2 MB, 1.1 GB */
export function formatSize(size: number): string {
  if (size < 100_000) return kilobytes().format(size / 1_000);
  return size < 1_000_000_000 ? formatMegabytes(size) : gigabytes().format(size / 1_000_000_000);
}
/** 5 Mar 2026 */
export const formatDay = (at: number): string => day().format(at);
/** 5 Mar 2026, 14:03 */
export const formatMoment = (at: number): string => moment().format(at);
/** 14:03 */
export const formatTime = (at: number): string => time().format(at);

const UNITS = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/**
 * "3 hours ago", "in 7 days". What has passed is cut, so that nothing is older than it says. What is to come is rounded: a
 * period that has just begun still has its full length. Never "yesterday" or "tomorrow": 30 hours may be two dates away.
 */
export function formatRelative(at: number, now = Date.now()): string {
  const span = at - now;
  for (const [index, [unit, length]] of UNITS.entries()) {
    const smaller = UNITS[index + 1]?.[1] ?? 1_000;
    const isLongEnough = span < 0 ? -span >= length : Math.round(span / smaller) * smaller >= length;
    if (isLongEnough) return relative().format(toWhole(span / length), unit);
  }
  const seconds = toWhole(span / 1_000);
  return seconds === 0 ? justNow() : relative().format(seconds, "second");
}

const toWhole = (value: number): number => (value < 0 ? Math.trunc(value) : Math.round(value));

/** The name of a country by its code of two letters; the code itself if it has no name. */
export function formatCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions().of(code) ?? code) : code;
}

/** The browser's IANA time zone. */
export const browserTimeZone = lazily(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
