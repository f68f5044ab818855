import { MAX_PREVIEW_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from "../../../limits.ts";
import { Cells, repeatedKeyFault, type Notice, type RowFault, type RowReading } from "./row-cells.ts";
import { parseHost, parseShortUrl, toSlug, type ShortUrl } from "./short-url.ts";
import { toFlag, toList, toText } from "./values.ts";
import { fault } from "../../../platform/http/faults.ts";

/** A row as it is stored: the cells in the order of the file's columns. */
export interface RawRow {
  line: number;
  cells: readonly unknown[];
  /** The text of a CSV row with its line end, as the file has it. */
  raw?: string;
  /** How many lines a quoted cell has taken in that look like rows themselves. */
  takenIn?: number;
  /** The first key that an object has twice. The values have names of their own, such as `url (2)`. */
  repeatedKey?: string;
}

/** A link of another service. Nothing of it is validated but what had to be read. */
export interface ImportRow {
  line: number;
  /** The host of its short URL; null: unknown. */
  host: string | null;
  /** null: it needs a new one. */
  slug: string | null;
  aliases: { host: string | null; slug: string }[];
  /** The body of a request that creates the link, without slug and domain. */
  input: { url?: string | undefined; disabled?: unknown; redirectStatus?: unknown; [field: string]: unknown };
  /** Unix milliseconds; null: unknown. */
  createdAt: number | null;
  importedClicks: number;
  /** The old service has deleted or banned the link. */
  isDead: boolean;
  /** The slug is a pattern of many short URLs. Missing: it is none. */
  isPattern?: true;
  notices: Notice[];
  /** Why the link cannot be imported, in the form of validation errors. */
  faults: RowFault[];
}

/** Reads a row of a file. */
export function toImportRow({ line, cells, takenIn, repeatedKey }: RawRow, reading: RowReading): ImportRow {
  const row = new Cells(cells, reading);
  const short = placeOf(row);
  const state = row.state();
  const input = {
    url: row.address("url") ?? undefined,
    title: row.prose("title", MAX_TITLE_CHARS),
    tags: toList(row.get("tags")),
    startsAt: row.start(),
    expiresAt: row.expiry(),
    expiredUrl: row.address("expiredUrl"),
    maxClicks: row.count("maxClicks"),
    archived: row.flag("archived") || state === "archived",
    disabled: row.flag("disabled") || state === "disabled",
    ios: row.address("ios"),
    android: row.address("android"),
    geo: row.json("geo"),
    rules: row.json("rules"),
    preview: previewOf(row),
    redirectStatus: row.count("redirectStatus"),
    passParameters: row.flag("passParameters", true),
    externalId: row.text("externalId"),
  };
  const isDead = row.flag("dead") || state === "dead";
  const isPattern = row.flag("pattern");
  // Every other text is the password, or its hash.
  if (toFlag(row.get("password")) !== false) row.notices.push("password");
  if (isHomePage(row, short.slug)) row.faults.push(fault("slug", "home_page"));
  const surplus = cells.slice(reading.width).some((cell) => toText(cell) !== null);
  if (surplus) row.faults.push(fault("row", "wrong_cell_count", { actual: cells.length, max: reading.width }));
  if (takenIn !== undefined) row.faults.push(takenInFault(takenIn));
  if (repeatedKey !== undefined) row.faults.push(repeatedKeyFault("row", repeatedKey));
  return {
    line,
    ...short,
    input,
    createdAt: row.createdAt(),
    importedClicks: row.clicks(),
    isDead,
    ...(isPattern && { isPattern }),
    notices: row.notices,
    faults: row.faults,
  };
}

function takenInFault(lines: number): RowFault {
  const what = lines === 1 ? "a line that looks like a row" : `${lines} lines that look like rows`;
  return { ...fault("row", "open_quote", { actual: lines }), problem: { kind: "taken_in", text: what } };
}

function previewOf(row: Cells): unknown {
  const preview = row.json("preview");
  if (preview !== null) return preview;
  const parts = {
    title: row.prose("previewTitle", MAX_TITLE_CHARS),
    description: row.prose("previewDescription", MAX_PREVIEW_DESCRIPTION_CHARS),
    image: row.address("previewImage"),
  };
  return Object.values(parts).every((part) => part === null) ? null : parts;
}

/** What Dub calls the link of a domain without a path. */
const ROOT = "_root";

/** Whether the short URL is a domain without a path. */
function isHomePage(row: Cells, slug: string | null): boolean {
  if (slug !== null) return slug === ROOT;
  const [shortUrl] = toList(row.get("shortUrl"));
  return shortUrl !== undefined && /^(?:https?:\/\/)?[^/?#\s]+\.[^/?#\s]+\/?$/i.test(shortUrl);
}

/** Where the link was, and its other slugs. */
function placeOf(row: Cells): Pick<ImportRow, "host" | "slug" | "aliases"> {
  const shortUrls = [...toList(row.get("shortUrl")), ...toList(row.get("aliasUrl"))].flatMap((text) => {
    const parsed = parseShortUrl(text);
    return parsed === null ? [] : [parsed];
  });
  const domain = row.text("domain");
  const host = (domain === null ? null : parseHost(domain)) ?? shortUrls[0]?.host ?? null;
  const ownSlug = toSlug(row.text("slug") ?? "");
  const slug = ownSlug === "" ? (shortUrls[0]?.slug ?? null) : ownSlug;
  const listed = toList(row.get("aliases")).map((alias): ShortUrl => ({ host: host ?? "", slug: toSlug(alias) }));
  const others = [...shortUrls, ...listed].filter(
    (other, index, all) =>
      other.slug !== slug && all.findIndex(({ slug: earlier }) => earlier === other.slug) === index,
  );
  return { host, slug, aliases: others.map((other) => ({ host: other.host || null, slug: other.slug })) };
}
