/** What a column of a file can be. The settings of links have the names of the API. */
export const IMPORT_FIELDS = {
  url: "The destination.",
  shortUrl: "The short URL of the old service, from which domain and slug are taken.",
  slug: "The slug, also as a path such as `/sale`.",
  domain: "The host of the short URL.",
  aliasUrl: "Another short URL of the same link.",
  aliases: "Further slugs of the link.",
  title: "A name for people.",
  tags: "Tags, separated by `,` or `|`.",
  createdAt: "When the link was created.",
  importedClicks: "The clicks that the old service counted.",
  startsAt: "When the link begins.",
  expiresAt: "When the link ends.",
  expiredUrl: "The destination after that.",
  maxClicks: "The visits after which the link ends.",
  archived: "Whether lists leave the link out.",
  disabled: "Whether the link is ended.",
  status: "A word such as `active`, `deleted`, `disabled` or `archived`.",
  dead: "Whether the old service has deleted or banned the link.",
  pattern: "Whether the slug is a pattern, such as a regular expression. Such a row is left out.",
  password: "A password, or whether there is one. It cannot come along.",
  ios: "The destination on iPhones and iPads.",
  android: "The destination on Android.",
  geo: "Destinations by country, as a JSON object.",
  rules: "Rules, as a JSON array.",
  preview: "The preview, as a JSON object.",
  previewTitle: "The title of the preview.",
  previewDescription: "The text of the preview.",
  previewImage: "The image of the preview.",
  redirectStatus: "The status of the redirect.",
  passParameters: "Whether the visitor's query parameters are added to the destination. An empty cell: yes.",
  externalId: "Your own id of the link.",
} as const;

export type ImportField = keyof typeof IMPORT_FIELDS;

/** The column of a file that each field is taken from. */
export type Mapping = Partial<Record<ImportField, string>>;

/** What names of columns and headers are compared by: case, spaces, `_` and `-` do not matter. */
export function toHeaderKey(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}
