import { z } from "@hono/zod-openapi";
import { IdInput } from "../../platform/http/id.ts";
import type { Link } from "../../links/contract.ts";
import { SIMPLE_FILTERS, type Links } from "../../links/list-contract.ts";
import type { Api } from "../api.ts";
import { describeLink, toListedLink, toWholeLink } from "../link.ts";
import { MAX_TOOL_ITEMS } from "../limits.ts";
import { field, time } from "../schema.ts";
import { defineTool, fitItems, READ_HINTS } from "../tool.ts";
import { because } from "../../platform/http/faults.ts";

const shape = SIMPLE_FILTERS;

/** The filters of links that assistants use. */
export const linkFilters = {
  search: field(shape.search, "In slug, title, URL or externalId; at least 3 characters."),
  tag: field(shape.tag, "Any of these tags."),
  status: field(shape.status, "Left out: any."),
  domain: field(shape.domain, "Host of the short URLs."),
  createdBy: field(shape.createdBy, "createdBy.id of get_link; !id: all others."),
  createdAfter: time(shape.createdAfter, "ISO 8601, or a day (UTC)."),
  createdBefore: time(shape.createdBefore, "ISO 8601, or a day (included)."),
};

export const linkId = field(IdInput, "Id of the link.");

export const getLink = defineTool({
  name: "get_link",
  title: "Get link",
  description:
    'All settings of one link, by its id or its short URL. Example: {"shortUrl": "https://go.example/spring"}',
  permissions: ["links:read"],
  hints: READ_HINTS,
  input: z.strictObject({
    id: field(IdInput.optional(), "Id of the link."),
    shortUrl: field(z.string().min(1).optional(), "An alias works too."),
  }),
  output: { link: { type: "object" } },
  async answer(input, { api }) {
    const link = await findLink(api, input);
    return { data: { link: toWholeLink(link) }, text: `${describeLink(link)}.` };
  },
});

/** The link with the id or the short URL; the id wins. */
export async function findLink(
  api: Api,
  { id, shortUrl }: { id?: string | undefined; shortUrl?: string | undefined },
): Promise<Link> {
  if (id !== undefined) return (await api.json<{ link: Link }>("GET", `/api/links/${encodeURIComponent(id)}`)).link;
  return (await api.json<{ link: Link }>("GET", "/api/links/by-url", { query: { url: shortUrl } })).link;
}

/** `next` of a result is a page's cursor after the number of links that the pages before had. */
const NEXT = /^(\d{1,6})\.([\w-]+)$/;

export const listLinks = defineTool({
  name: "list_links",
  title: "List links",
  description: `Finds links, newest first, ${MAX_TOOL_ITEMS} at a time; \`next\` of the result leads on. For clicks of a period use get_analytics. Example: {"tag": ["spring"], "sort": "clicks"}`,
  permissions: ["links:read"],
  hints: READ_HINTS,
  input: z.strictObject({
    ...linkFilters,
    archived: field(shape.archived, "Default: exclude."),
    sort: z.enum(["createdAt", "clicks", "lastClickedAt"]).optional(),
    order: z.enum(["asc", "desc"]).optional(),
    limit: field(z.int().min(1).max(MAX_TOOL_ITEMS).optional(), `At most ${MAX_TOOL_ITEMS}.`),
    next: field(
      z.string().regex(NEXT, because("not_a_cursor")).optional(),
      "From the last result, with the same filters.",
    ),
  }),
  output: { links: { type: "array" }, next: { type: "string" }, remaining: { type: "integer" } },
  async answer({ next, limit = MAX_TOOL_ITEMS, ...query }, { api }) {
    const [, shown = "0", cursor] = NEXT.exec(next ?? "") ?? [];
    const page = await listPage(api, { ...query, cursor }, limit);
    const links = fitItems(page.links.map(toListedLink));
    const isCut = links.length < page.links.length;
    const before = Number(shown) + links.length;
    const remaining = Math.max(0, (page.count?.value ?? 0) - before);
    // A page of long links is read again in smaller steps, so that none is left out.
    const nextCursor = isCut ? (await listPage(api, { ...query, cursor }, links.length)).nextCursor : page.nextCursor;
    const more = nextCursor === null ? undefined : `${before}.${nextCursor}`;
    const lines = page.links.slice(0, links.length).map((link) => `- ${describeLink(link)}`);
    return { data: { links, next: more, remaining }, text: describePage(lines, remaining, page, more) };
  },
});

const listPage = (api: Api, query: Record<string, string | number | readonly string[] | undefined>, limit: number) =>
  api.json<Links>("GET", "/api/links", { query: { ...query, limit, count: true } });

function describePage(lines: string[], remaining: number, { count }: Links, next: string | undefined): string {
  if (lines.length === 0) return "No link matches.";
  const number = count?.isExact === false ? `at least ${remaining}` : String(remaining);
  const more =
    next === undefined ? "These are all." : `${number} more: call list_links again with next ${JSON.stringify(next)}.`;
  return [...lines, more].join("\n");
}
