import { toHeaderKey, type ImportField } from "./fields.ts";

/** The services whose exports are recognised; `csv` is any other file. */
export const SOURCES = [
  "bitly",
  "dub",
  "shlink",
  "kutt",
  "redirection",
  "yourls",
  "shortio",
  "rebrandly",
  "sink",
  "tern",
  "csv",
] as const;
export type Source = (typeof SOURCES)[number];

export const SOURCE_NAMES: Record<Source, string> = {
  bitly: "Bitly",
  dub: "Dub",
  shlink: "Shlink",
  kutt: "Kutt",
  redirection: "Redirection for WordPress",
  yourls: "YOURLS",
  shortio: "Short.io",
  rebrandly: "Rebrandly",
  sink: "Sink",
  tern: "Tern",
  csv: "CSV",
};

/** Fields by the keys of columns ({@link toHeaderKey}). null: a column that is not imported. */
type FieldsByKey = Readonly<Record<string, ImportField | null>>;

interface Recognition {
  source: Source;
  /** A file with all columns of one of these sets is an export of the source. */
  columns: readonly (readonly string[])[];
  /** The key of the array in a JSON file, if only such files are recognised. */
  key?: string;
  fields: FieldsByKey;
}

/** The more special one comes first. */
export const RECOGNITIONS: readonly Recognition[] = [
  {
    source: "tern",
    columns: [["id", "url", "slug", "domain", "shortUrl", "redirectStatus"]],
    fields: { id: null, clicks: null, status: null, updatedat: null },
  },
  // No other service says slashtag.
  { source: "rebrandly", columns: [["slashtag"]], fields: { slashtag: "slug", domainname: "domain" } },
  {
    source: "bitly",
    columns: [
      ["Link", "Custom Link", "Destination URL"],
      ["Bitlink", "Long URL"],
      ["long_url", "link", "created_at"],
    ],
    fields: { link: "shortUrl", bitlink: "shortUrl", customlink: "shortUrl", datecreated: "createdAt" },
  },
  {
    source: "dub",
    columns: [
      ["Short link", "Destination URL"],
      ["shortLink", "key", "url"],
    ],
    fields: { shortlink: "shortUrl", key: "slug" },
  },
  { source: "shlink", columns: [["Short code", "Long URL"]], fields: { shortcode: "slug" } },
  {
    source: "kutt",
    columns: [["address", "target"]],
    fields: {
      address: "slug",
      target: "url",
      link: "shortUrl",
      description: "title",
      banned: "dead",
      expirein: "expiresAt",
    },
  },
  {
    source: "redirection",
    columns: [["source", "target", "regex", "code"]],
    fields: { source: "slug", target: "url", code: "redirectStatus", type: null },
  },
  {
    source: "yourls",
    columns: [
      ["source", "target", "hits"],
      ["keyword", "url", "timestamp", "clicks"],
    ],
    fields: { source: "slug", target: "url", keyword: "slug", timestamp: "createdAt" },
  },
  {
    source: "shortio",
    columns: [
      ["shortURL", "originalURL"],
      ["secureShortURL", "originalURL"],
      ["originalURL", "path"],
    ],
    fields: {
      secureshorturl: "shortUrl",
      shorturl: "shortUrl",
      originalurl: "url",
      originalpath: null,
      idstring: null,
      iphoneurl: "ios",
      clickslimit: "maxClicks",
    },
  },
  {
    source: "sink",
    columns: [["url", "slug"]],
    key: "links",
    fields: {
      comment: "title",
      title: "previewTitle",
      description: "previewDescription",
      image: "previewImage",
      apple: "ios",
      google: "android",
      expiration: "expiresAt",
    },
  },
];

/** The fields of columns that only this source has. */
export function ownFieldsOf(source: Source): FieldsByKey {
  return RECOGNITIONS.find((recognition) => recognition.source === source)?.fields ?? {};
}

/** What columns of any file are by their names. An earlier name of a field is preferred. */
const NAMES: Record<ImportField, string> = {
  url: "url destination destinationurl longurl originalurl targeturl target redirecturl redirectto longlink fullurl href",
  shortUrl: "shorturl shortlink bitlink shortenedurl shortenedlink",
  slug: "slug shortcode keyword backhalf slashtag alias customalias shortpath path redirectfrom code",
  domain: "domain domainname host hostname shortdomain",
  aliasUrl: "aliasurl",
  aliases: "aliases",
  title: "title name linktitle description comment note",
  tags: "tags tag labels label",
  createdAt: "createdat datecreated created creationdate createdon createddate dateadded timestamp date",
  importedClicks:
    "importedclicks clicks visits hits engagements visitcount visitscount totalclicks clickcount clickscount totalvisits",
  startsAt: "startsat validsince validfrom activefrom",
  expiresAt: "expiresat expirein expirationdate expirydate expires expiresin expiration expiry validuntil",
  expiredUrl: "expiredurl expirationurl",
  maxClicks: "maxclicks maxvisits clicklimit",
  archived: "archived isarchived",
  disabled: "disabled isdisabled",
  status: "status state",
  dead: "dead deleted banned",
  pattern: "regex isregex regularexpression",
  password: "password haspassword passwordprotected",
  ios: "ios iosurl iphone",
  android: "android androidurl",
  geo: "geo",
  rules: "rules",
  preview: "preview",
  previewTitle: "previewtitle ogtitle",
  previewDescription: "previewdescription ogdescription",
  previewImage: "previewimage ogimage image",
  redirectStatus: "redirectstatus redirecttype redirectcode statuscode httpcode httpstatus",
  // The second one is Shlink's, the third Rebrandly's.
  passParameters: "passparameters forwardquery forwardparameters",
  externalId: "externalid",
};

/** The names of each field's columns, as keys, in the order in which they are preferred. */
export const KNOWN_NAMES = Object.entries(NAMES).map(
  ([field, names]) => [field as ImportField, names.split(" ")] as const,
);

/** Whether the columns have all these names. */
export function hasColumns(keys: ReadonlySet<string>, names: readonly string[]): boolean {
  return names.every((name) => keys.has(toHeaderKey(name)));
}
