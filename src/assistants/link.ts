import type { Link } from "../links/contract.ts";
import { foreignText, quote } from "../platform/lib/foreign-text.ts";
import { MAX_LISTED_URL_CHARS } from "./limits.ts";

/** A time as assistants read it; null stays null. */
export function toIso(time: number | null | undefined): string | null {
  return time == null ? null : new Date(time).toISOString();
}

/** A link in a list of a result. */
export function toListedLink(link: Link): Record<string, unknown> {
  const { id, shortUrl, url, title, tags, status, archived, clicks, createdAt, startsAt, expiresAt, verdict } = link;
  return {
    id,
    shortUrl,
    url: foreignText(url, MAX_LISTED_URL_CHARS),
    title: title === null ? null : foreignText(title),
    tags: tags.length === 0 ? null : tags.map((tag) => foreignText(tag)),
    status,
    verdict: verdict.state === "allowed" ? null : verdict,
    archived: archived || null,
    clicks,
    createdAt: toIso(createdAt),
    startsAt: toIso(startsAt),
    expiresAt: toIso(expiresAt),
  };
}

/** A link with all of its settings, without those that it lacks. */
export function toWholeLink(link: Link): Record<string, unknown> {
  const { expiredUrl, maxClicks, hasPassword, passwordAttackedAt, lastClickedAt, updatedAt, createdBy } = link;
  const { ios, android, geo, rules, preview, redirectStatus, passParameters, externalId, aliases, importedClicks } =
    link;
  return {
    ...toListedLink(link),
    url: link.url,
    aliases: nonEmpty(aliases),
    expiredUrl,
    maxClicks,
    hasPassword: hasPassword || null,
    passwordAttackedAt: toIso(passwordAttackedAt),
    ios,
    android,
    geo: Object.keys(geo).length === 0 ? null : geo,
    rules: nonEmpty(rules),
    preview,
    redirectStatus,
    passParameters: passParameters ? null : false,
    externalId,
    importedClicks: importedClicks || null,
    createdBy,
    lastClickedAt: toIso(lastClickedAt),
    updatedAt: toIso(updatedAt),
  };
}

function nonEmpty<T>(items: readonly T[]): readonly T[] | null {
  return items.length === 0 ? null : items;
}

/** A link in one line of text. */
export function describeLink({ id, shortUrl, url, title, status, verdict, clicks }: Link): string {
  const name = title === null ? "" : `, title ${quote(title)}`;
  const states = [status, verdict.state].filter((state) => state !== "active" && state !== "allowed");
  const more = [name, ...states.map((state) => `, ${state}`)].join("");
  return `${shortUrl} → ${foreignText(url, MAX_LISTED_URL_CHARS)} (id ${id}${more}, ${clicks} clicks)`;
}
