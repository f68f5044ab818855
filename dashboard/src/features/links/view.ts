import { toTagKey } from "#src/platform/lib/tag-key.ts";
import { MAX_TAGS_PER_LINK } from "#src/limits.ts";
import { NOT } from "#src/links/not.ts";
import { toSearchWords } from "#src/links/search-words.ts";
import type { Query } from "../../api/client.ts";
import type { Link } from "../../api/types.ts";
import { startOfDay } from "../../lib/time-zone.ts";
import { MAX_FILTER_CREATORS, MAX_FILTER_DOMAINS, MAX_SEARCH_CHARS, MIN_SEARCH_CHARS } from "#src/links/limits.ts";

/** Deleted links have a list of their own, which the service cannot filter or sort. */
export const SHOWN_STATUSES = ["active", "scheduled", "expired", "disabled", "deleted"] as const;
export const STATUS_FILTERS = [...SHOWN_STATUSES, "!active", "!scheduled", "!expired", "!disabled"] as const;
/** The verdicts that keep visitors from a link. */
export const VERDICTS = ["blocked", "warned"] as const;
export const ARCHIVED = ["exclude", "include", "only"] as const;
export const SORTS = ["createdAt", "clicks", "lastClickedAt"] as const;
export const ORDERS = ["desc", "asc"] as const;

/** What the list shows. The search parameters of the page have it, without what is at its default. */
export interface LinksView {
  /** Empty, or long enough to be searched for. */
  search: string;
  /** Those with the mark in front must be missing. */
  tags: readonly string[];
  tagMode: "any" | "all";
  /** Links at any of them; none: at all. */
  domains: readonly string[];
  /** Ids of the keys and the persons that created the links. Those with the mark in front did not. */
  createdBy: readonly string[];
  status: (typeof STATUS_FILTERS)[number] | "";
  destination: "broken" | "";
  /** Links with one of them; none: with any verdict. */
  verdicts: readonly (typeof VERDICTS)[number][];
  archived: (typeof ARCHIVED)[number];
  /** The first and the last day of the creation in the browser's time zone: 2026-03-05, or empty. */
  from: string;
  to: string;
  sort: (typeof SORTS)[number];
  order: (typeof ORDERS)[number];
}

export const NO_FILTERS = {
  search: "",
  tags: [],
  tagMode: "any",
  domains: [],
  createdBy: [],
  status: "",
  destination: "",
  verdicts: [],
  archived: "exclude",
  from: "",
  to: "",
} as const satisfies Partial<LinksView>;

export const DEFAULT_VIEW: LinksView = { ...NO_FILTERS, sort: "createdAt", order: "desc" };

/** Reads a view from search parameters. Whatever is not valid is at its default. */
export function parseView(search: Record<string, unknown>): LinksView {
  if (search["status"] === "deleted") return { ...DEFAULT_VIEW, status: "deleted" };
  const text = typeof search["search"] === "string" || typeof search["search"] === "number" ? search["search"] : "";
  const [from, to] = [parseDay(search["from"]), parseDay(search["to"])];
  return {
    search: toSearch(String(text)),
    tags: parseTexts(search["tags"], MAX_TAGS_PER_LINK),
    tagMode: oneOf(["any", "all"], search["tagMode"], "any"),
    domains: parseTexts(search["domains"], MAX_FILTER_DOMAINS),
    createdBy: parseTexts(search["createdBy"], MAX_FILTER_CREATORS).filter((text) => ID.test(withoutMark(text))),
    status: oneOf(STATUS_FILTERS, search["status"], ""),
    destination: oneOf(["broken"], search["destination"], ""),
    verdicts: VERDICTS.filter((each) => parseTexts(search["verdicts"], VERDICTS.length).includes(each)),
    archived: oneOf(ARCHIVED, search["archived"], "exclude"),
    from,
    to: to < from ? "" : to,
    sort: oneOf(SORTS, search["sort"], "createdAt"),
    order: oneOf(ORDERS, search["order"], "desc"),
  };
}

/** The search parameters of a view. */
export function toSearchParams(view: LinksView): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(view).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(DEFAULT_VIEW[name as keyof LinksView]),
    ),
  );
}

/** The search parameters of the view that these are of. */
export const normalizeParams = (search: Record<string, unknown>) => toSearchParams(parseView(search));

/** Returns the text as the service searches for it; empty if it is too short. */
export function toSearch(text: string): string {
  const characters = Array.from(text.trim());
  return characters.length < MIN_SEARCH_CHARS ? "" : characters.slice(0, MAX_SEARCH_CHARS).join("").trim();
}

export function hasFilters(view: LinksView): boolean {
  return JSON.stringify({ ...view, ...NO_FILTERS, tagMode: view.tagMode }) !== JSON.stringify(view);
}

/** The filters as a bulk job takes them. */
export function toFilter(view: LinksView) {
  return {
    ...(view.search !== "" && { search: view.search }),
    ...(view.tags.length > 0 && { tag: view.tags }),
    ...(view.tags.some((tag) => !isLeftOut(tag)) && { tagMode: view.tagMode }),
    ...(view.domains.length > 0 && { domain: view.domains }),
    ...(view.createdBy.length > 0 && { createdBy: view.createdBy }),
    ...(view.status !== "" && view.status !== "deleted" && { status: view.status }),
    ...(view.destination !== "" && { destination: view.destination }),
    ...(view.verdicts.length > 0 && { verdict: view.verdicts }),
    archived: view.archived,
    ...(view.from !== "" && { createdAfter: startOfDay(view.from) }),
    ...(view.to !== "" && { createdBefore: startOfDay(view.to, 1) }),
  };
}

/** The query of `GET /api/links`. */
export function toQuery(view: LinksView): Query {
  if (view.status === "deleted") return { deleted: "only" };
  return { ...toFilter(view), sort: view.sort, order: view.order };
}

/** Whether the link, which is not deleted, belongs to the list, as far as the page can tell. */
export function matchesView(link: Link, view: LinksView): boolean {
  if (view.archived !== "include" && link.archived !== (view.archived === "only")) return false;
  if (view.status !== "" && isLeftOut(view.status) !== (link.status !== withoutMark(view.status))) return false;
  if (view.destination !== "" && link.destination?.state !== view.destination) return false;
  if (view.verdicts.length > 0 && !view.verdicts.some((each) => each === link.verdict.state)) return false;
  if (!matchesCreator(link, view)) return false;
  if (view.domains.length > 0 && !view.domains.includes(link.domain)) return false;
  if (view.from !== "" && link.createdAt < startOfDay(view.from)) return false;
  if (view.to !== "" && link.createdAt >= startOfDay(view.to, 1)) return false;
  return matchesTags(link, view) && matchesSearch(link, view.search);
}

/** Less than 0 if the first link comes first in the list. */
export function compareLinks(a: Link, b: Link, { sort, order }: LinksView): number {
  const difference = (a[sort] ?? 0) - (b[sort] ?? 0) || compareTexts(a.id, b.id);
  return order === "asc" ? difference : -difference;
}

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

function matchesCreator({ createdBy }: Link, view: LinksView): boolean {
  const id = createdBy?.id ?? "";
  if (view.createdBy.includes(NOT + id)) return false;
  return view.createdBy.every(isLeftOut) || view.createdBy.includes(id);
}

function matchesTags({ tags }: Link, view: LinksView): boolean {
  const own = new Set(tags.map(toTagKey));
  const matches = (tag: string) => own.has(toTagKey(withoutMark(tag)));
  const named = view.tags.filter((tag) => !isLeftOut(tag));
  if (view.tags.some((tag) => isLeftOut(tag) && matches(tag))) return false;
  return named.length === 0 || (view.tagMode === "all" ? named.every(matches) : named.some(matches));
}

function matchesSearch({ slug, title, externalId, url }: Link, search: string): boolean {
  const text = [slug, title, externalId, url].join("\n").toLowerCase();
  return (
    search === "" ||
    Object.values(toSearchWords(search.toLowerCase()))
      .flat()
      .every((word) => text.includes(word))
  );
}

export const isLeftOut = (value: string): boolean => value.startsWith(NOT);
export const withoutMark = (value: string): string => (isLeftOut(value) ? value.slice(NOT.length) : value);

/** The form of ids (src/platform/lib/uuid.ts, which browsers cannot load). */
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function parseTexts(value: unknown, max: number): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((text): text is string => typeof text === "string" && withoutMark(text) !== "").slice(0, max);
}

function parseDay(value: unknown): string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : "";
}

function oneOf<Value extends string, Default>(values: readonly Value[], value: unknown, byDefault: Default) {
  return values.find((each) => each === value) ?? byDefault;
}
