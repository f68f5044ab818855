import type { Call } from "../dashboard/src/docs/programs.ts";

/** A value of a field: from JSON, or the text of a parameter. */
type Fields = Record<string, unknown>;

/** The options of `tern links create`, `update` and `list`, by the fields of the API that they set. */
const OPTIONS: Record<string, string> = {
  url: "--url",
  slug: "--slug",
  domain: "--domain",
  title: "--title",
  tags: "--tag",
  startsAt: "--starts-at",
  expiresAt: "--expires-at",
  expiredUrl: "--expired-url",
  maxClicks: "--max-clicks",
  externalId: "--external-id",
  redirectStatus: "--redirect-status",
  ios: "--ios",
  android: "--android",
  geo: "--geo",
  utm: "--utm",
};
const LIST_OPTIONS: Record<string, string> = {
  search: "--search",
  url: "--url",
  externalId: "--external-id",
  tag: "--tag",
  tagMode: "--tag-mode",
  domain: "--domain",
  status: "--status",
  archived: "--archived",
  createdAfter: "--created-after",
  createdBefore: "--created-before",
  sort: "--sort",
  order: "--order",
  limit: "--limit",
};
const PAGE_OPTIONS = { limit: "--limit" };
const CLICKS_OPTIONS: Record<string, string> = Object.fromEntries(
  [
    "interval",
    "start",
    "end",
    "bucket",
    "timezone",
    "country",
    "device",
    "browser",
    "os",
    "referrer",
    "source",
    "trigger",
  ].map((name) => [name, `--${name}`]),
);

/** What the pattern of a path found, and the fields of the query or the body. Returns null if the command cannot do it. */
type Translate = (id: string, fields: Fields) => string[] | null;

/** The requests that have a command of their own, by method and path. */
const COMMANDS: [string, RegExp, Translate][] = [
  [
    "POST",
    /^\/api\/shorten$/,
    (_, { url, ...others }) => withOptions(["shorten", word(url)], others, { slug: "--slug" }),
  ],
  ["POST", /^\/api\/links$/, (_, { url, ...others }) => withOptions(["links", "create", word(url)], others, OPTIONS)],
  ["GET", /^\/api\/links$/, (_, fields) => listLinks(fields)],
  ["GET", /^\/api\/links\/(\$[A-Z]+)$/, (id, fields) => withOptions(["links", "get", word(id)], fields, {})],
  ["PATCH", /^\/api\/links\/(\$[A-Z]+)$/, (id, fields) => updateLink(id, fields)],
  [
    "DELETE",
    /^\/api\/links\/(\$[A-Z]+)$/,
    (id, fields) => withOptions(["links", "delete", word(id), "--yes"], fields, {}),
  ],
  [
    "POST",
    /^\/api\/links\/(\$[A-Z]+)\/restore$/,
    (id, fields) => withOptions(["links", "restore", word(id)], fields, {}),
  ],
  [
    "GET",
    /^\/api\/links\/(\$[A-Z]+)\/clicks$/,
    (id, fields) => withOptions(["clicks", word(id)], fields, CLICKS_OPTIONS),
  ],
  ["GET", /^\/api\/domains$/, (_, fields) => withOptions(["domains", "list"], fields, PAGE_OPTIONS)],
  ["GET", /^\/api\/webhooks$/, (_, fields) => withOptions(["webhooks", "list"], fields, PAGE_OPTIONS)],
  ["GET", /^\/api\/keys$/, (_, fields) => withOptions(["keys", "list"], fields, PAGE_OPTIONS)],
  ["GET", /^\/api\/keys\/current$/, (_, fields) => withOptions(["whoami"], fields, {})],
  ["GET", /^\/api\/clicks$/, (_, fields) => withOptions(["clicks"], fields, CLICKS_OPTIONS)],
];

/**
 * The command of `tern` that does the same as the request. Returns null if there is none: for requests without a key or with
 * headers of their own, and for those with a password, which no command takes as an argument.
 */
export function command({ method, url, headers, needsKey, body }: Call): string | null {
  const [, path = "", query = ""] = /^(?:https?:\/\/[^/]+|__ORIGIN__)(\/api\/[^?]*)(?:\?(.*))?$/.exec(url) ?? [];
  const others = Object.keys(headers).filter((name) => name !== "Content-Type");
  if (!needsKey || path === "" || others.length > 0) return null;
  const fields = body === undefined ? readQuery(query) : (JSON.parse(body) as Fields);
  if (body !== undefined && query !== "") return null;
  if ("password" in fields) return null;
  for (const [verb, pattern, translate] of COMMANDS) {
    const match = verb === method ? pattern.exec(path) : null;
    const words = match === null ? null : translate(match[1] ?? "", fields);
    if (words !== null) return ["tern", ...words].join(" ");
  }
  return ["tern", "api", method, word(path), ...Object.entries(fields).flatMap(toField)].join(" ");
}

function listLinks({ deleted, ...fields }: Fields): string[] | null {
  return withOptions(["links", "list", ...(deleted === "only" ? ["--deleted"] : [])], fields, LIST_OPTIONS);
}

/** A field that is null is cleared. */
function updateLink(id: string, fields: Fields): string[] | null {
  const set = Object.entries(fields).filter(([, value]) => value !== null);
  const cleared = Object.keys(fields).filter((name) => fields[name] === null);
  const words = withOptions(["links", "update", word(id)], Object.fromEntries(set), OPTIONS);
  return words === null || cleared.length === 0 ? words : [...words, "--clear", ...cleared];
}

function withOptions(words: string[], fields: Fields, options: Record<string, string>): string[] | null {
  const added: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const option = options[name];
    if (option === undefined) return null;
    for (const each of valuesOf(value)) added.push(option, word(each));
  }
  return [...words, ...added];
}

/** The values of an option that may be repeated: those of a list, or `name=value` of an object. */
function valuesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).map(([name, each]) => `${name}=${String(each)}`);
}

/** The fields of `tern api`: a parameter that is given twice is there twice. */
function toField([name, value]: [string, unknown]): string[] {
  if (typeof value === "string") return [word(`${name}=${value}`)];
  if (Array.isArray(value) && value.every((each) => typeof each === "string") && value.length > 1)
    return value.map((each) => word(`${name}=${each}`));
  return [word(`${name}:=${JSON.stringify(value)}`)];
}

function readQuery(query: string): Fields {
  const fields: Record<string, string | string[]> = {};
  for (const pair of query === "" ? [] : query.split("&")) {
    const [name = "", value = ""] = pair.split("=");
    const text = decodeURIComponent(value);
    const before = fields[name];
    fields[name] = before === undefined ? text : [before, text].flat();
  }
  return fields;
}

/** A word of the shell. `$NAME` in it is a variable. */
function word(value: unknown): string {
  const text = String(value);
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /\$[A-Z]/.test(text)
    ? `"${text.replaceAll(/["\\`]/g, String.raw`\$&`)}"`
    : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
