import { localDateAt, timeZoneOf } from "../analytics/time-zone.ts";
import type { readClickSums } from "../analytics/read-clicks.ts";
import { REPORTED_VALUES } from "./limits.ts";

interface Report {
  account: string;
  /** Such as `all links`. */
  subject: string;
  timezone: string;
  clicks: Awaited<ReturnType<typeof readClickSums>>;
}

/** The text of a report: its paragraphs have an empty line between them. */
export function writeReport({ account, subject, timezone, clicks }: Report): string {
  const { start, end, total, unique, previous, links, countries, referrers } = clicks;
  const zone = timeZoneOf(timezone);
  const dateOf = (time: number) => new Date(localDateAt(time, zone)).toISOString().slice(0, 10);
  const paragraphs = [
    `Clicks of ${subject} in the account “${account}”, ${dateOf(start)} to ${dateOf(end - 1)} (${timezone})`,
    `Clicks: ${withChange(total, previous?.total ?? 0)}\nVisitors: ${withChange(unique, previous?.unique ?? 0)}`,
    listOf(
      "Links",
      links?.map(({ shortUrl, clicks: count }) => ({ value: shortUrl ?? "a deleted link", clicks: count })),
    ),
    listOf(
      "Countries",
      countries.map(({ value, clicks: count }) => ({ value: nameCountry(value), clicks: count })),
    ),
    listOf("Referrers", referrers),
  ];
  return paragraphs.filter((paragraph) => paragraph !== "").join("\n\n");
}

/** Tor and unknown countries have no code of two letters. */
function nameCountry(value: string): string {
  if (value === "T1") return "Tor";
  return /^[A-Z]{2}$/.test(value) ? (new Intl.DisplayNames("en", { type: "region" }).of(value) ?? value) : value;
}

/** Such as `120 (+20 %, 100 in the period before)`. */
function withChange(present: number, before: number): string {
  const change = Math.round(((present - before) / before) * 100);
  const percent = before === 0 ? "" : `${change < 0 ? "−" : "+"}${Math.abs(change)} %, `;
  return `${present} (${percent}${before} in the period before)`;
}

function listOf(title: string, values: readonly { value: string; clicks: number }[] = []): string {
  if (values.length === 0) return "";
  return [title, ...values.slice(0, REPORTED_VALUES).map(({ value, clicks }) => `${value}: ${clicks}`)].join("\n");
}
