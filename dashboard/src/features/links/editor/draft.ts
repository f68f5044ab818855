import { withScheme } from "#src/links/destination-url.ts";
import type { CreateLink, Link, UpdateLink } from "#dashboard/api/types.ts";
import { browserTimeZone } from "#dashboard/lib/format.ts";

// No I/O: what the form holds, and the requests that are made of it.

type Rule = Link["rules"][number];

/** A rule in the form. A condition that is undefined is not there; an empty one is there and has no value yet. */
export interface RuleDraft extends Partial<Omit<Rule, "startsAt" | "endsAt" | "percentage" | "url">> {
  /** Identifies the rule in the form. */
  key: string;
  url: string;
  startsAt?: number | null | undefined;
  endsAt?: number | null | undefined;
  percentage?: string;
}

export interface GeoDraft {
  /** Identifies the entry in the form. */
  key: string;
  country: string;
  url: string;
}

/** The values of the form. Texts are as they were typed. */
export interface Draft {
  url: string;
  /** '': the domain of new links. */
  domain: string;
  /** '': a random one. */
  slug: string;
  /** The former slugs that the link keeps. */
  aliases: string[];
  title: string;
  /** null: those of new links. */
  tags: string[] | null;
  startsAt: number | null;
  expiresAt: number | null;
  expiredUrl: string;
  maxClicks: string;
  /** '': as it is; null: none any more. */
  password: string | null;
  ios: string;
  android: string;
  geo: GeoDraft[];
  rules: RuleDraft[];
  preview: { title: string; description: string; image: string };
  /** '': that of new links. */
  redirectStatus: string;
  passParameters: boolean;
  externalId: string;
  archived: boolean;
  disabled: boolean;
  /** The time zone in which times are typed. The service does not store it. */
  zone: string;
}

export const newKey = (): string => crypto.randomUUID();

export function emptyDraft(): Draft {
  return {
    url: "",
    domain: "",
    slug: "",
    aliases: [],
    title: "",
    tags: null,
    startsAt: null,
    expiresAt: null,
    expiredUrl: "",
    maxClicks: "",
    password: "",
    ios: "",
    android: "",
    geo: [],
    rules: [],
    preview: { title: "", description: "", image: "" },
    redirectStatus: "",
    passParameters: true,
    externalId: "",
    archived: false,
    disabled: false,
    zone: browserTimeZone(),
  };
}

export function draftOf(link: Link): Draft {
  const { preview } = link;
  return {
    url: link.url,
    domain: link.domain,
    slug: link.slug,
    aliases: link.aliases,
    title: link.title ?? "",
    tags: link.tags,
    startsAt: link.startsAt,
    expiresAt: link.expiresAt,
    expiredUrl: link.expiredUrl ?? "",
    maxClicks: link.maxClicks === null ? "" : String(link.maxClicks),
    password: "",
    ios: link.ios ?? "",
    android: link.android ?? "",
    geo: Object.entries(link.geo).map(([country, url]) => ({ key: country, country, url })),
    rules: link.rules.map(({ percentage, ...rule }) => ({
      ...rule,
      key: rule.id,
      ...(percentage !== undefined && { percentage: String(percentage) }),
    })),
    preview: { title: preview?.title ?? "", description: preview?.description ?? "", image: preview?.image ?? "" },
    redirectStatus: String(link.redirectStatus),
    passParameters: link.passParameters,
    externalId: link.externalId ?? "",
    archived: link.archived,
    disabled: link.disabled,
    zone: browserTimeZone(),
  };
}

/** A new link like this one. What only one link can have stays behind. */
export function duplicateOf(link: Link): Draft {
  const draft = draftOf(link);
  const rules = draft.rules.map(({ id: _id, ...rule }) => ({ ...rule, key: newKey() }));
  return { ...draft, slug: "", aliases: [], externalId: "", archived: false, rules };
}

/** Every field of the link as the API takes it; null where there is nothing. */
function toFields(draft: Draft) {
  const { preview } = draft;
  const shown = {
    title: orNull(preview.title),
    description: orNull(preview.description),
    image: orNull(preview.image),
  };
  return {
    url: withScheme(draft.url.trim()),
    domain: draft.domain,
    slug: draft.slug.trim(),
    aliases: draft.aliases,
    title: orNull(draft.title),
    tags: draft.tags ?? [],
    startsAt: draft.startsAt,
    expiresAt: draft.expiresAt,
    expiredUrl: orNull(draft.expiredUrl),
    maxClicks: numberOrNull(draft.maxClicks),
    password: draft.password === "" ? undefined : draft.password,
    ios: orNull(draft.ios),
    android: orNull(draft.android),
    geo: Object.fromEntries(
      draft.geo
        .filter(({ country, url }) => country !== "" || url !== "")
        .map(({ country, url }) => [country, url.trim()]),
    ),
    rules: draft.rules.map(toRule),
    preview: Object.values(shown).some((text) => text !== null) ? shown : null,
    redirectStatus: numberOrNull(draft.redirectStatus),
    passParameters: draft.passParameters,
    externalId: orNull(draft.externalId),
    archived: draft.archived,
    disabled: draft.disabled,
  };
}

export type FieldName = keyof ReturnType<typeof toFields>;

function toRule({ key: _key, startsAt, endsAt, percentage, ...rule }: RuleDraft) {
  return {
    ...rule,
    url: rule.url.trim(),
    ...(startsAt != null && { startsAt }),
    ...(endsAt != null && { endsAt }),
    ...(percentage !== undefined && percentage !== "" && { percentage: Number(percentage) }),
  };
}

function orNull(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : trimmed;
}

/** A text that is no number stays a text, which the API refuses. As NaN it would become null in JSON. */
function numberOrNull(text: string): number | null {
  const trimmed = text.trim();
  return trimmed === "" ? null : ((Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed)) as number);
}

/** The request that creates the link: only what was given, so that the account's defaults apply to the rest. */
export function toCreateRequest(draft: Draft): CreateLink {
  const { aliases: _aliases, passParameters, ...fields } = toFields(draft);
  const given = Object.entries(fields).filter(([name, value]) =>
    name === "tags" ? draft.tags !== null : !isNothing(value),
  );
  return { ...Object.fromEntries(given), ...(!passParameters && { passParameters }) } as CreateLink;
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** The names of the fields in which the drafts differ. */
export function differences(draft: Draft, base: Draft): FieldName[] {
  const [fields, former] = [toFields(draft), toFields(base)];
  return (Object.keys(fields) as FieldName[]).filter(
    (name) => JSON.stringify(fields[name]) !== JSON.stringify(former[name]),
  );
}

/** The request that changes the link from `base` to `draft`: only the fields that differ. */
export function toUpdateRequest(draft: Draft, base: Draft): UpdateLink {
  return pick(draft, differences(draft, base));
}

/**
 * The request that brings the former values of a change back; null if there are none that can come back. The service
 * cannot give a link the aliases again that the change has removed.
 */
export function toUndoRequest(draft: Draft, base: Link): UpdateLink | null {
  const former = { ...draftOf(base), aliases: base.aliases.filter((alias) => draft.aliases.includes(alias)) };
  const names = new Set(differences(draft, former));
  // The new slug would stay as an alias.
  if (names.has("slug")) names.add("aliases");
  const hadNone = names.delete("password") && !base.hasPassword;
  const request = { ...pick(former, [...names]), ...(hadNone && { password: null }) };
  return Object.keys(request).length === 0 ? null : request;
}

function pick(draft: Draft, names: readonly FieldName[]): UpdateLink {
  const fields = toFields(draft);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

export interface Merge {
  /** My changes on top of theirs. */
  draft: Draft;
  /** Fields that only the others have changed. */
  theirs: FieldName[];
  /** Fields that both have changed, to different values. */
  both: FieldName[];
}

/** Puts the changes from `base` to `mine` on top of a newer state of the link. */
export function mergeDrafts(base: Draft, mine: Draft, newer: Draft): Merge {
  const changedByMe = new Set(differences(mine, base));
  const changedByOthers = differences(newer, base);
  const differ = new Set(differences(mine, newer));
  const kept = Object.fromEntries([...changedByMe].map((name) => [name, mine[name]])) as Partial<Draft>;
  return {
    draft: { ...newer, ...kept, zone: mine.zone },
    theirs: changedByOthers.filter((name) => !changedByMe.has(name)),
    both: changedByOthers.filter((name) => changedByMe.has(name) && differ.has(name)),
  };
}
