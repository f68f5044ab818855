import { localDateAt, timeZoneOf } from "../analytics/time-zone.ts";
import type { readClickSums } from "../analytics/read-clicks.ts";
import type { AppLanguage } from "../../platform/languages.ts";
import type { MailTexts } from "../../platform/mail/texts/en.ts";
import { MAIL_REPORT_VALUES } from "./limits.ts";

interface Report {
  account: string;
  /** Such as `all links`. */
  subject: string;
  timezone: string;
  clicks: Awaited<ReturnType<typeof readClickSums>>;
  language: AppLanguage;
}

/** The text of a report: its paragraphs have an empty line between them. */
export function writeMailReport(
  { account, subject, timezone, clicks, language }: Report,
  { clicks: words }: MailTexts,
): string {
  const { start, end, total, unique, previous, links, countries, referrers } = clicks;
  const zone = timeZoneOf(timezone);
  const dateOf = (time: number) => new Date(localDateAt(time, zone)).toISOString().slice(0, 10);
  const withChange = (present: number, before: number) =>
    `${present} (${changeOf(present, before)}${words.before(before)})`;
  const paragraphs = [
    words.opening(subject, account, dateOf(start), dateOf(end - 1), timezone),
    `${words.clicks}: ${withChange(total, previous?.total ?? 0)}\n${words.visitors}: ${withChange(unique, previous?.unique ?? 0)}`,
    listOf(
      words.links,
      links?.map(({ shortUrl, clicks: count }) => ({ value: shortUrl ?? words.deleted, clicks: count })),
    ),
    listOf(
      words.countries,
      countries.map(({ value, clicks: count }) => ({ value: nameCountry(value, language), clicks: count })),
    ),
    listOf(
      words.referrers,
      referrers.map(({ value, clicks: count }) => ({
        value: value === "direct" ? words.direct : value,
        clicks: count,
      })),
    ),
  ];
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

/** Tor and unknown countries have no code of two letters. */
function nameCountry(value: string, language: AppLanguage): string {
  if (value === "T1") return "Tor";
  return /^[A-Z]{2}$/.test(value) ? (new Intl.DisplayNames(language, { type: "region" }).of(value) ?? value) : value;
}

/** Such as `+20 %, `. */
function changeOf(present: number, before: number): string {
  const change = Math.round(((present - before) / before) * 100);
  return before === 0 ? "" : `${change < 0 ? "−" : "+"}${Math.abs(change)} %, `;
}

function listOf(title: string, values: readonly { value: string; clicks: number }[] = []): string {
  if (values.length === 0) return "";
  return [title, ...values.slice(0, MAIL_REPORT_VALUES).map(({ value, clicks }) => `${value}: ${clicks}`)].join("\n");
}
