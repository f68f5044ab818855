import { findRepeatedKey } from "../../../platform/http/json-keys.ts";
import { MAX_PREVIEW_DESCRIPTION_CHARS, MAX_TITLE_CHARS } from "../../../limits.ts";
import type { ImportField } from "./fields.ts";
import { parseHost, parseShortUrl, toSlug, type ShortUrl } from "./short-url.ts";
import { toCount, toFlag, toJson, toList, toText, toTextUnlessNone, toTime, withoutFormulaEscape } from "./values.ts";
import { isNone, readFlag, readState } from "./words.ts";
import { MAX_QUOTED_WORD_CHARS } from "../limits.ts";
import { fault, type Fault } from "../../../platform/http/faults.ts";

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

/** What a row lost or changed on its way. */
export type Notice =
  /** A text was longer than it may be, and its end was cut off. */
  | "shortened"
  /** The time of creation, or the number of clicks, could not be read. */
  | "unreadable_time"
  | "unreadable_clicks"
  /** The word for the state of the link is not known. */
  | "unknown_status"
  /** The link had a password at its old service. */
  | "password";

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

export interface RowFault extends Fault {
  /** Missing: a fault that its path says enough about. `text` is what is wrong in the row. */
  problem?: { kind: "unknown_word" | "taken_in" | "repeated_key"; text: string };
}

/** How rows of a file are read. */
export interface RowReading {
  /** Where in a row each field is. */
  indexes: ReadonlyMap<ImportField, number>;
  /** The number of columns. */
  width: number;
  /** Whether texts that spreadsheets would run as formulas have an apostrophe in front. */
  hasFormulaEscapes: boolean;
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

function repeatedKeyFault(path: string, key: string): RowFault {
  const text = key.slice(0, MAX_QUOTED_WORD_CHARS).toWellFormed();
  return { ...fault(path, "repeated_cell_name", { value: text }), problem: { kind: "repeated_key", text } };
}

/** The cells of a row by field. Collects what is wrong with them. */
class Cells {
  readonly notices: Notice[] = [];
  readonly faults: RowFault[] = [];
  readonly #cells: readonly unknown[];
  readonly #reading: RowReading;

  constructor(cells: readonly unknown[], reading: RowReading) {
    this.#cells = cells;
    this.#reading = reading;
  }

  get(field: ImportField): unknown {
    const index = this.#reading.indexes.get(field);
    const cell = index === undefined ? null : this.#cells[index];
    return typeof cell === "string" && this.#reading.hasFormulaEscapes ? withoutFormulaEscape(cell) : cell;
  }

  text(field: ImportField): string | null {
    return toText(this.get(field));
  }

  /** Of several values with one name, all but the last would be lost without a word. */
  json(field: ImportField): unknown {
    const cell = this.get(field);
    const key = typeof cell === "string" ? findRepeatedKey(cell) : null;
    if (key !== null) this.faults.push(repeatedKeyFault(field, key));
    return toJson(cell);
  }

  address(field: ImportField): string | null {
    return toTextUnlessNone(this.get(field));
  }

  /** `byDefault` is what an empty cell, or one such as `NULL`, says. An unknown word is a fault, and never a yes. */
  flag(field: ImportField, byDefault = false): boolean {
    const word = this.text(field);
    if (word === null) return byDefault;
    const flag = readFlag(word, byDefault);
    if (flag !== null) return flag;
    const text = word.slice(0, MAX_QUOTED_WORD_CHARS).toWellFormed();
    const reason = fault(field, "unknown_word", { value: text });
    this.faults.push({ ...reason, problem: { kind: "unknown_word", text } });
    return false;
  }

  state(): ReturnType<typeof readState> {
    const text = this.text("status");
    const state = text === null || isNone(text) ? "active" : readState(text);
    if (state === null) this.notices.push("unknown_status");
    return state;
  }

  prose(field: ImportField, maxChars: number): string | null {
    const text = this.text(field)?.toWellFormed().normalize("NFC") ?? null;
    if (text === null || text.length <= maxChars) return text;
    this.notices.push("shortened");
    // Not within a surrogate pair.
    return text
      .slice(0, maxChars)
      .replace(/[\u{D800}-\u{DBFF}]$/u, "")
      .trim();
  }

  /** As a request has it: a text or a number that is none is refused later. */
  count(field: ImportField): number | string | null {
    const count = toCount(this.get(field));
    return Number.isNaN(count) ? this.text(field) : count;
  }

  clicks(): number {
    const clicks = toCount(this.get("importedClicks")) ?? 0;
    if (Number.isSafeInteger(clicks)) return clicks;
    this.notices.push("unreadable_clicks");
    return 0;
  }

  createdAt(): number | null {
    const time = toTime(this.get("createdAt"));
    if (!Number.isNaN(time)) return time;
    this.notices.push("unreadable_time");
    return null;
  }

  start(): number | string | null {
    const time = toTime(this.get("startsAt"));
    return Number.isNaN(time) ? this.text("startsAt") : time;
  }

  /** A day stays a text: the API takes it as the end of the day. */
  expiry(): number | string | null {
    const time = toTime(this.get("expiresAt"));
    const text = this.text("expiresAt");
    return Number.isNaN(time) || /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") ? text : time;
  }
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
