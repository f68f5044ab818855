import type { RedirectRow } from "../../redirect/lookup/entry.ts";
import { fnv1a } from "../../platform/lib/fnv1a.ts";
import { effectiveVerdict } from "../../redirect/lookup/store/verdict-sql.ts";
import { unpackVerdict } from "../../redirect/verdict.ts";
import { toTagKeys } from "../../platform/lib/tag-key.ts";
import type { Link } from "../contract.ts";
import type { settings } from "../fields.ts";
import { LINK_OVERHEAD_BYTES } from "../limits.ts";
import { toDestination, VISITED_DESTINATION } from "./visited-destination.ts";
import { isExpired, whatVisitorsGet } from "./visitors.ts";

type Value = string | number | null;

/** The request values that the fields of a link depend on. */
interface Viewpoint {
  /** The service's origin and host. */
  origin: string;
  host: string;
  /** Unix milliseconds. */
  now: number;
}

/** A field of a link as the API shows it. */
interface Field {
  toField: (row: never, viewpoint: Viewpoint) => unknown;
}

/** A field that requests can set. */
interface Setting<Column extends string, V extends Value> extends Field {
  column: Column;
  /** Whether the column has a text, whose length counts for the quota. */
  isText: boolean;
  /** Makes the column from the value of a request. null stands for the default. */
  toColumn: (value: unknown) => V;
}

interface Codec<V extends Value> {
  toColumn: (value: unknown) => V;
  toField: (stored: V) => unknown;
  isText: boolean;
}

function setting<Column extends string, V extends Value>(column: Column, codec: Partial<Codec<V>>): Setting<Column, V> {
  const { toColumn = (value) => value as V, toField = (stored) => stored, isText = false } = codec;
  return { column, toColumn, toField: (row: Record<Column, V>) => toField(row[column]), isText };
}

/** A setting that every link has. */
const required = <Column extends string>(column: Column) => setting<Column, string>(column, { isText: true });

const text = <Column extends string>(column: Column) => setting<Column, string | null>(column, { isText: true });

const number = <Column extends string>(column: Column) => setting<Column, number | null>(column, {});

/** A setting that is true or false. */
const flag = <Column extends string>(column: Column, byDefault = false) =>
  setting<Column, 0 | 1>(column, {
    toColumn: (value) => ((value ?? byDefault) === true ? 1 : 0),
    toField: (stored) => stored === 1,
  });

/** A setting that is stored as JSON. `empty` is shown for NULL. */
const json = <Column extends string>(column: Column, empty: "{}" | "[]" | "null") =>
  setting<Column, string | null>(column, {
    toColumn: toJson,
    toField: (stored) => JSON.parse(stored ?? empty) as unknown,
    isText: true,
  });

/** Columns to search by, which are made from the columns of settings. */
interface SearchColumns {
  /** JSON array; NULL without tags. */
  tag_keys: string | null;
  url_hash: number;
}

interface BaseRow extends RedirectRow, SearchColumns {
  /** '' is the service's own domain. */
  domain: string;
  slug: string;
  /** JSON array, the oldest first; NULL without. */
  aliases: string | null;
  /** Whether `link.expired` was emitted. */
  status: "active" | "expired";
  /** The click counters are as of their last sync (src/links/click-counters.ts). */
  clicks: number;
  /** 0: never. */
  last_clicked_at: number;
  imported_clicks: number;
  /** Null: never. */
  password_attacked_at: number | null;
  created_at: number;
  /** One of the two at most. */
  created_by_key: string | null;
  created_by_user: string | null;
  /** What a visit of the URL found, as JSON; null: it was not visited. */
  destination?: string | null;
}

const computed = (toField: (row: BaseRow, viewpoint: Viewpoint) => unknown): Field => ({ toField });

/**
 * The fields of a link, in the order of the API. Everything that the store does with a setting is derived from its entry:
 * the columns that are read and written, and the value in responses and in events.
 */
const FIELDS = {
  id: computed((row) => row.id),
  url: required("url"),
  slug: required("slug"),
  domain: computed(({ domain }, { host }) => (domain === "" ? host : domain)),
  shortUrl: computed(({ domain, slug }, { origin }) => `${domain === "" ? origin : `https://${domain}`}/${slug}`),
  title: text("title"),
  tags: json("tags", "[]"),
  status: computed((row, { now }) => {
    if (row.disabled === 1) return "disabled";
    if (isExpired(row, now)) return "expired";
    return row.starts_at !== null && row.starts_at > now ? "scheduled" : "active";
  }),
  disabled: flag("disabled"),
  archived: flag("archived"),
  aliases: computed(({ aliases }) => JSON.parse(aliases ?? "[]") as string[]),
  startsAt: number("starts_at"),
  expiresAt: number("expires_at"),
  expiredUrl: text("expired_url"),
  maxClicks: number("max_clicks"),
  hasPassword: computed((row) => row.password_hash !== null),
  passwordAttackedAt: computed((row) => row.password_attacked_at),
  ios: text("ios"),
  android: text("android"),
  geo: json("geo", "{}"),
  rules: json("rules", "[]"),
  preview: json("preview", "null"),
  redirectStatus: setting<"redirect_status", number>("redirect_status", {
    toColumn: (status) => (status ?? 302) as number,
  }),
  passParameters: flag("pass_parameters", true),
  externalId: text("external_id"),
  clicks: computed((row) => row.clicks),
  importedClicks: computed((row) => row.imported_clicks),
  lastClickedAt: computed(({ last_clicked_at: at }) => (at === 0 ? null : at)),
  createdBy: computed(({ created_by_key: key, created_by_user: user }) =>
    key !== null ? { type: "key", id: key } : user !== null ? { type: "user", id: user } : null,
  ),
  createdAt: computed((row) => row.created_at),
  updatedAt: computed((row) => row.updated_at),
  verdict: computed((row) => unpackVerdict(row.verdict)),
  visitors: computed((row, { now }) => whatVisitorsGet(row, now)),
  destination: computed(({ destination }) => toDestination(destination ?? null)),
} satisfies Record<keyof Link, Field> & Record<Exclude<keyof typeof settings, "password">, Setting<string, Value>>;

type SettingColumns = {
  [
    Name in keyof typeof FIELDS as (typeof FIELDS)[Name] extends Setting<infer Column, Value> ? Column : never
  ]: (typeof FIELDS)[Name] extends Setting<string, infer V> ? V : never;
};

/** A link as it is stored. */
export type LinkRow = BaseRow & SettingColumns;

/** The columns that requests can set. */
export type LinkColumns = Pick<LinkRow, keyof SettingColumns | keyof SearchColumns | "domain" | "password_hash">;

const SETTINGS = Object.entries(FIELDS).filter(
  (entry): entry is [string, Setting<string, Value>] => "column" in entry[1],
);

const COLUMNS = [
  "id",
  "account_id",
  "domain",
  "aliases",
  ...SETTINGS.map(([, { column }]) => column),
  ..."status visits password_hash clicks last_clicked_at created_at updated_at tag_keys url_hash password_attacked_at case_sensitive imported_clicks verdict created_by_key created_by_user".split(
    " ",
  ),
];

/** The columns of the table. The verdict is that which visitors meet, also if the account, the domain or a host is taken down. */
export const OWN_COLUMNS = COLUMNS.map((column) =>
  column === "verdict" ? `${effectiveVerdict} AS verdict` : column,
).join(", ");

/** The columns to read. */
export const LINK_COLUMNS = `${OWN_COLUMNS}, ${VISITED_DESTINATION} AS destination`;

/** The texts of a link that count for the quota. Passwords do not: they are stored anew under another key. */
const TEXT_COLUMNS = [
  "domain",
  "aliases",
  ...SETTINGS.filter(([, { isText }]) => isText).map(([, { column }]) => column),
];

/** SQL for the bytes of a link for the quota. `valueOf` makes the SQL of a column's value. The same as {@link bytesOf}. */
export function linkBytes(valueOf: (column: string) => string): string {
  const texts = TEXT_COLUMNS.map((column) => `coalesce(octet_length(${valueOf(column)}), 0)`);
  return `(${LINK_OVERHEAD_BYTES} + ${texts.join(" + ")})`;
}

/** SQL for {@link linkBytes} of a deleted link, from its row as JSON. */
export function deletedLinkBytes(row: string): string {
  return linkBytes((column) => `${row} ->> '${column}'`);
}

/** The bytes of a link for the quota, in UTF-8. */
export function bytesOf(row: LinkRow): number {
  const encoder = new TextEncoder();
  const values = new Map<string, unknown>(Object.entries(row));
  const texts = TEXT_COLUMNS.map((column) => encoder.encode((values.get(column) ?? "") as string).byteLength);
  return texts.reduce((sum, bytes) => sum + bytes, LINK_OVERHEAD_BYTES);
}

/** The columns of the table that hold a link. */
export const STORED_COLUMNS = ["seq", "host_takedowns", ...COLUMNS];

/** SQL for the row of the link `l` as a JSON object, whose members have the names of the columns. */
export const ROW_JSON = `'{' || ${STORED_COLUMNS.map(
  (column, index) => `'${index === 0 ? "" : ","}"${column}":' || json_quote(l.${column})`,
).join(" || ")} || '}'`;

/** SQL for the stored columns of a JSON object like {@link ROW_JSON}, for an INSERT ... SELECT. `others` is SQL by column. */
export function columnsOf(row: string, others: Readonly<Record<string, string>> = {}): string {
  return STORED_COLUMNS.map((column) => {
    const value = others[column] ?? `${row} ->> '${column}'`;
    return column === "seq" ? `CAST(${value} AS INTEGER)` : value;
  }).join(", ");
}

/** The columns of the settings that the request gives. */
export function toColumns(request: object): Partial<LinkColumns> {
  const values = new Map<string, unknown>(Object.entries(request));
  const given = SETTINGS.filter(([name]) => values.get(name) !== undefined);
  const columns = Object.fromEntries(given.map(([name, { column, toColumn }]) => [column, toColumn(values.get(name))]));
  return { ...columns, ...toSearchColumns(columns) };
}

/** The columns of a new link's settings. Those that the request does not give have their defaults. */
export function toAllColumns(request: object): SettingColumns & SearchColumns {
  const defaults = Object.fromEntries(SETTINGS.map(([name]) => [name, null]));
  return toColumns({ ...defaults, ...withoutUndefined(request) }) as SettingColumns & SearchColumns;
}

function withoutUndefined(request: object): object {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined));
}

function toSearchColumns({ tags, url }: Partial<SettingColumns>): Partial<SearchColumns> {
  return {
    ...(tags !== undefined && { tag_keys: toTagKeys(JSON.parse(tags ?? "[]") as string[]) }),
    ...(typeof url === "string" && { url_hash: fnv1a(url) }),
  };
}

/** The link as the API shows it. `baseUrl` is the service's origin; the status is the one at `now`. */
export function toLink(row: LinkRow, baseUrl: string, now: number): Link {
  const { origin, host } = new URL(baseUrl);
  const fields = Object.entries<Field>(FIELDS).map(([name, { toField }]) => [
    name,
    toField(row as never, { origin, host, now }),
  ]);
  return Object.fromEntries(fields) as Link;
}

function toJson(value: unknown): string | null {
  return value == null || Object.keys(value).length === 0 ? null : JSON.stringify(value);
}
