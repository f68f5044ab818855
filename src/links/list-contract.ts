import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../http/contract.ts";
import { NextCursor, pageQuery } from "../http/pagination.ts";
import { queryFlag, queryTime, repeatable } from "../http/query.ts";
import { EndTimeInput, lineOfProse, lineOfText, StartTimeInput, Timestamp } from "../http/validation.ts";
import { MAX_TAG_CHARS, MAX_TAGS_PER_LINK } from "../limits.ts";
import { VERDICT_STATES } from "../safety/verdict.ts";
import { Link } from "./contract.ts";
import { Domain, Slug, TagName } from "./fields.ts";
import { Destination } from "./target-fields.ts";
import {
  MAX_COUNTED_LINKS,
  MAX_EXTERNAL_ID_CHARS,
  MAX_SEARCH_CHARS,
  MIN_SEARCH_CHARS,
  SEARCHED_URL_CHARS,
} from "./limits.ts";

/** The filters of a list, as query parameters. */
const filters = {
  search: lineOfProse(MAX_SEARCH_CHARS)
    .refine((text) => Array.from(text).length >= MIN_SEARCH_CHARS, `must have at least ${MIN_SEARCH_CHARS} characters`)
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
  tag: repeatable(TagName, MAX_TAGS_PER_LINK, MAX_TAG_CHARS)
    .optional()
    .openapi({ description: "Links with this tag, in any case. Repeat it for several tags.", example: ["sale"] }),
  tagMode: z.enum(["any", "all"]).optional().openapi({
    description: "Whether links need one of several tags, which is the default, or all of them.",
  }),
  createdAfter: queryTime(StartTimeInput)
    .optional()
    .openapi({ description: "Links created at this time or later. A day in UTC is its beginning." }),
  createdBefore: queryTime(EndTimeInput)
    .optional()
    .openapi({ description: "Links created before this time. A day in UTC is included." }),
  domain: Domain.optional(),
  status: z.enum(["active", "expired", "disabled"]).optional().openapi({ description: "Links with this status." }),
  verdict: z.enum(VERDICT_STATES).optional().openapi({ description: "Links whose verdict has this state." }),
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
  deleted: z.enum(["only"]).optional().openapi({
    description:
      "`only`: the deleted links that can still be restored, the last deleted first. Only `limit`, `cursor`, `page` and `count` go with it.",
  }),
});
export type ListQuery = z.infer<typeof listQuery>;

/** The filters of a list as JSON: times and tags are not texts. */
export const LinkFilter = z
  .strictObject({
    ...filters,
    tag: z
      .array(TagName)
      .min(1)
      .max(MAX_TAGS_PER_LINK)
      .optional()
      .openapi({ description: "Links with these tags, in any case.", example: ["sale"] }),
    createdAfter: StartTimeInput.optional().openapi({ description: "Links created at this time or later." }),
    createdBefore: EndTimeInput.optional().openapi({ description: "Links created before this time." }),
  })
  .openapi("LinkFilter", {
    description: "The filters of `GET /api/links`. Without any, all links that are not archived match.",
    example: { tag: ["sale"], status: "active" },
  });
export type FilterQuery = z.infer<typeof LinkFilter>;

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

const Links = z.object({
  links: z.array(ListedLink).openapi({ description: "The links of the page." }),
  nextCursor: NextCursor,
  count: Count.optional(),
});
export type Links = z.infer<typeof Links>;

export const listLinks = createRoute({
  ...operation("get", "/api/links", "Links", "List links"),
  request: { query: listQuery },
  responses: { 200: json(Links, "A page of links.") },
});
