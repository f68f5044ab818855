import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../platform/http/contract.ts";
import { NextCursor, pageQuery } from "../platform/http/pagination.ts";
import { queryFlag, queryTime, repeatable } from "../platform/http/query.ts";
import { EndTimeInput, lineOfProse, lineOfText, StartTimeInput, Timestamp } from "../platform/http/validation.ts";
import { MAX_HOST_CHARS, MAX_TAG_CHARS, MAX_TAGS_PER_LINK } from "../limits.ts";
import { VERDICT_STATES } from "../redirect/verdict.ts";
import { NOT } from "./not.ts";
import { ID_CHARS, isId } from "../platform/lib/uuid.ts";
import { Link } from "./contract.ts";
import { LinkCreator } from "./creator-contract.ts";
import { Domain, Slug, TagName } from "./fields.ts";
import { Destination } from "./target-fields.ts";
import {
  MAX_COUNTED_LINKS,
  MAX_EXTERNAL_ID_CHARS,
  MAX_FILTER_CREATORS,
  MAX_FILTER_DOMAINS,
  MAX_SEARCH_CHARS,
  MIN_SEARCH_CHARS,
  SEARCHED_URL_CHARS,
} from "./limits.ts";
import { because } from "../platform/http/faults.ts";

export const LINK_STATUSES = ["active", "scheduled", "expired", "disabled"] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];
type VerdictState = (typeof VERDICT_STATES)[number];

const leftOut = <T extends string>(values: readonly T[]) => values.map((value): `!${T}` => `${NOT}${value}`);

const StatusValue = z.enum([...LINK_STATUSES, ...leftOut(LINK_STATUSES)]);
const VerdictValue = z.enum([...VERDICT_STATES, ...leftOut<VerdictState>(VERDICT_STATES)]);

/** A tag as links have it, perhaps with the mark in front. */
const TagValue = z
  .string()
  .transform((text, context) => {
    const mark = text.startsWith(NOT) ? NOT : "";
    const parsed = TagName.safeParse(text.slice(mark.length));
    if (parsed.success) return mark + parsed.data;
    context.addIssue({ code: "custom", message: parsed.error.issues[0]?.message ?? because("invalid") });
    return z.NEVER;
  })
  .openapi({ type: "string", minLength: 1, maxLength: MAX_TAG_CHARS + NOT.length });

/** A list without some domains would have to be read without an index. */
const DomainValue = Domain.refine((domain) => !domain.startsWith(NOT), because("not_left_out"));

/** The creator who calls: the key, or the person, also through an app. */
export const ME = "me";

/** The id of a key or a user, or {@link ME}, perhaps with the mark in front. */
const CreatorValue = z
  .string()
  .toLowerCase()
  .refine(
    (text) => isId(text.replace(NOT, "")) || text.replace(NOT, "") === ME,
    because("not_an_id", { resource: "creator" }),
  )
  .openapi({ type: "string", maxLength: ID_CHARS + NOT.length });

/** One value of a filter in a body, or several. */
const oneOrMore = <T>(value: z.ZodType<T, string>, maxItems: number) =>
  z.union([value, z.array(value).min(1).max(maxItems)]).transform((given): T[] => [given].flat() as T[]);

/** A query parameter that may be repeated, for values of a list. */
const repeatableOf = <T extends string>(value: z.ZodEnum<Record<T, T>>) =>
  repeatable(value, value.options.length, MAX_TAG_CHARS)
    .optional()
    .openapi({ type: "array", items: { type: "string", enum: value.options }, maxItems: value.options.length });

const HOW_TO_REPEAT = "Repeat it for links with any of several";

/** The filters of a list, as query parameters. */
const filters = {
  search: lineOfProse(MAX_SEARCH_CHARS)
    .refine((text) => Array.from(text).length >= MIN_SEARCH_CHARS, because("too_short", { min: MIN_SEARCH_CHARS }))
    .optional()
    .openapi({
      description: `Links that have all these words, in any order and in any case: in the slug, the title, \`externalId\` or the first ${SEARCHED_URL_CHARS} characters of the URL. A word can be part of a longer one. A phrase stands between quotation marks.`,
    }),
  slug: Slug.optional().openapi({
    description:
      "The link with this slug, or with this alias, on `domain` or on any domain of the account. In any case, unless the domain is case-sensitive.",
  }),
  url: Destination.optional().openapi({ description: "Links with exactly this destination." }),
  externalId: lineOfText(MAX_EXTERNAL_ID_CHARS)
    .optional()
    .openapi({ description: "The link with exactly this `externalId`." }),
  tag: repeatable(TagValue, MAX_TAGS_PER_LINK, MAX_TAG_CHARS + NOT.length)
    .optional()
    .openapi({
      description: "Links with this tag, in any case. Repeat it for several tags. `!` in front: links without it.",
      example: ["sale"],
    }),
  tagMode: z.enum(["any", "all"]).optional().openapi({
    description: "Whether links need one of several tags, which is the default, or all of them.",
  }),
  createdAfter: queryTime(StartTimeInput)
    .optional()
    .openapi({ description: "Links created at this time or later. A day in UTC is its beginning." }),
  createdBefore: queryTime(EndTimeInput)
    .optional()
    .openapi({ description: "Links created before this time. A day in UTC is included." }),
  domain: repeatable(DomainValue, MAX_FILTER_DOMAINS, MAX_HOST_CHARS)
    .optional()
    .openapi({ description: `Links on this domain. ${HOW_TO_REPEAT}.`, example: ["go.example"] }),
  status: repeatableOf(StatusValue).openapi({
    description: `Links with this status. ${HOW_TO_REPEAT}. \`!\` in front: links with another.`,
  }),
  createdBy: repeatable(CreatorValue, MAX_FILTER_CREATORS, ID_CHARS + NOT.length)
    .optional()
    .openapi({
      description: `Links that the key or the user with this id created; \`me\`: the caller. ${HOW_TO_REPEAT}. \`!\` in front: links of others.`,
    }),
  verdict: repeatableOf(VerdictValue).openapi({
    description: `Links whose verdict has this state. ${HOW_TO_REPEAT}. \`!\` in front: links with another.`,
  }),
  destination: z.enum(["broken"]).optional().openapi({ description: "Links whose destination is broken." }),
  archived: z
    .enum(["exclude", "include", "only"])
    .optional()
    .openapi({ description: "Whether archived links are listed. By default they are excluded." }),
};

const listQuery = z.strictObject({
  ...pageQuery,
  ...filters,
  sort: z
    .enum(["createdAt", "clicks", "lastClickedAt"])
    .optional()
    .openapi({ default: "createdAt", description: "The order of the list." }),
  order: z
    .enum(["asc", "desc"])
    .optional()
    .openapi({ default: "desc", description: "`desc`: the newest, or the most clicks, first." }),
  count: queryFlag.optional().openapi({ description: "Whether the response has the number of links of all pages." }),
  creators: queryFlag
    .optional()
    .openapi({ description: "Whether the response has the names of those that created the links of the page." }),
  deleted: z.enum(["only"]).optional().openapi({
    description:
      "`only`: the deleted links that can still be restored, the last deleted first. Only `limit`, `cursor`, `page`, `count` and `creators` go with it.",
  }),
});
export type ListQuery = z.infer<typeof listQuery>;

/** The filters of a list as JSON: times and tags are not texts. */
export const LinkFilter = z
  .strictObject({
    ...filters,
    tag: z
      .array(TagValue)
      .min(1)
      .max(MAX_TAGS_PER_LINK)
      .optional()
      .openapi({ description: "Links with these tags, in any case. `!` in front: without it.", example: ["sale"] }),
    domain: oneOrMore(DomainValue, MAX_FILTER_DOMAINS).optional().openapi({ description: "Links on these domains." }),
    status: oneOrMore(StatusValue, StatusValue.options.length)
      .optional()
      .openapi({ description: "Links with these statuses." }),
    verdict: oneOrMore(VerdictValue, VerdictValue.options.length)
      .optional()
      .openapi({ description: "Links whose verdict has these states." }),
    createdBy: oneOrMore(CreatorValue, MAX_FILTER_CREATORS)
      .optional()
      .openapi({ description: "Links that the keys or the users with these ids created; `me`: the caller." }),
    createdAfter: StartTimeInput.optional().openapi({ description: "Links created at this time or later." }),
    createdBefore: EndTimeInput.optional().openapi({ description: "Links created before this time." }),
  })
  .openapi("LinkFilter", {
    description: "The filters of `GET /api/links`. Without any, all links that are not archived match.",
    example: { tag: ["sale"], status: "active" },
  });
export type FilterQuery = z.infer<typeof LinkFilter>;

/** Filters with one value each, for assistants. */
export const SIMPLE_FILTERS = {
  ...LinkFilter.shape,
  tag: z.array(TagName).min(1).max(MAX_TAGS_PER_LINK).optional(),
  domain: Domain.optional(),
  status: z.enum(LINK_STATUSES).optional(),
  createdBy: CreatorValue.optional(),
};

const Count = z
  .object({
    value: z.number().int().max(MAX_COUNTED_LINKS).openapi({ description: "The number, as far as it is counted." }),
    isExact: z.boolean().openapi({ description: "false: there are more links than `value`." }),
  })
  .openapi({ description: "The number of links that match, on all pages. Only with `count=true`." });

const ListedLink = Link.extend({
  deletesAt: Timestamp.optional().openapi({
    description: "Until when the deleted link can be restored. Only with `deleted=only`.",
  }),
});
export type ListedLink = z.infer<typeof ListedLink>;

const Creator = LinkCreator.extend({
  name: z.string().nullable().openapi({ description: "The present name. null: the user is deleted." }),
}).openapi("NamedCreator", {
  description: "A key or a user that created links.",
  example: { type: "user", id: "01920b5c-7d6a-7c3e-9b1f-1a2b3c4d5e6f", name: "Ann Lee" },
});
export type NamedCreator = z.infer<typeof Creator>;

const Links = z.object({
  links: z.array(ListedLink).openapi({ description: "The links of the page." }),
  nextCursor: NextCursor,
  count: Count.optional(),
  creators: z
    .array(Creator)
    .optional()
    .openapi({ description: "Those that created the links of the page. Only with `creators=true`." }),
});
export type Links = z.infer<typeof Links>;

export const listLinks = createRoute({
  ...operation("get", "/api/links", "Links", "List links"),
  request: { query: listQuery },
  responses: { 200: json(Links, "A page of links.") },
});
