import { z } from "@hono/zod-openapi";
import type { ErrorBody } from "../../platform/http/error-body.ts";
import { CreateLink, type Link } from "../../links/contract.ts";
import { foreignText } from "../../platform/lib/foreign-text.ts";
import { describeLink, toListedLink, toWholeLink } from "../link.ts";
import { MAX_LISTED_URL_CHARS, MAX_TOOL_ITEMS } from "../limits.ts";
import { field, time } from "../schema.ts";
import { ADDS, defineTool, fitItems } from "../tool.ts";

const { shape } = CreateLink;

export const createLink = defineTool({
  name: "create_link",
  title: "Create link",
  description:
    'Shortens one URL. For several use create_links. Example: {"url": "https://example.com/sale", "tags": ["spring"]}',
  permissions: ["links:write"],
  hints: ADDS,
  input: z.strictObject({
    url: field(shape.url, "Destination."),
    slug: field(shape.slug, "Path of the short URL. Left out: random."),
    domain: field(shape.domain, "A verified domain. Left out: the default."),
    title: field(shape.title, "Name for people."),
    tags: field(shape.tags, "Labels."),
    utm: field(shape.utm, "Set in the destination."),
    startsAt: time(shape.startsAt, "Start, as expiresAt."),
    expiresAt: time(shape.expiresAt, "End: ISO 8601 with offset, or a day (UTC)."),
    expiredUrl: field(shape.expiredUrl, "Destination after the end."),
    maxClicks: field(shape.maxClicks, "Visits until the end."),
    password: field(shape.password, "Visitors must enter it."),
    ios: field(shape.ios, "Destination on iPhones and iPads."),
    android: field(shape.android, "Destination on Android."),
    geo: field(shape.geo, 'Destinations by country, such as {"DE": "https://…"}.', { type: "object" }),
    redirectStatus: field(shape.redirectStatus, "Default 302.", { type: "integer", enum: [301, 302, 307, 308] }),
    passParameters: field(shape.passParameters, "false: adds no visitor parameters.", { type: "boolean" }),
    externalId: field(shape.externalId, "Your own id, unique in the account."),
  }),
  output: { link: { type: "object" } },
  async answer(input, { api }) {
    const { link } = await api.json<{ link: Link }>("POST", "/api/links", { body: input });
    return { data: { link: toWholeLink(link) }, text: `Created ${describeLink(link)}.` };
  },
});

/** A link among several. Assistants know the fields from `create_link`. */
const oneOfMany = z.strictObject({
  url: shape.url,
  slug: shape.slug,
  domain: shape.domain,
  title: shape.title,
  tags: shape.tags,
  utm: shape.utm,
  expiresAt: time(shape.expiresAt, "ISO 8601 or a day."),
  externalId: shape.externalId,
});

export const createLinks = defineTool({
  name: "create_links",
  title: "Create links",
  description: `Shortens up to ${MAX_TOOL_ITEMS} URLs in one call. Those that cannot be created are in \`failed\`. Example: {"links": [{"url": "https://example.com/a"}]}`,
  permissions: ["links:write"],
  hints: ADDS,
  input: z.strictObject({ links: field(z.array(oneOfMany).min(1).max(MAX_TOOL_ITEMS), "Fields as in create_link.") }),
  output: { created: { type: "integer" }, links: { type: "array" }, failed: { type: "array" } },
  async answer({ links }, { api }) {
    const { results } = await api.json<{ results: ({ link: Link } | ErrorBody)[] }>("POST", "/api/links/bulk", {
      body: { links },
    });
    const created = results.flatMap((result) => ("link" in result ? [result.link] : []));
    const failed = results.flatMap((result, index) =>
      "error" in result
        ? [{ index, url: foreignText(links[index]?.url ?? "", MAX_LISTED_URL_CHARS), error: result.error }]
        : [],
    );
    const lines = [
      `Created ${created.length} of ${links.length} links.`,
      ...created.map((link) => `- ${describeLink(link)}`),
      ...failed.map(({ url, error }) => `- Not created: ${url}: ${error}`),
    ];
    const shown = fitItems(created.map(toListedLink), failed);
    return { data: { created: created.length, links: shown, failed }, text: lines.join("\n") };
  },
});
