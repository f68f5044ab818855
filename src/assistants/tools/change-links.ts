import { z } from "@hono/zod-openapi";
import type { ErrorBody } from "../../platform/http/error-body.ts";
import { updateLinks } from "../../links/bulk-calls-contract.ts";
import { CreateLink, type Link } from "../../links/contract.ts";
import type { Links } from "../../links/list-contract.ts";
import { ApiFailure, type Api } from "../api.ts";
import { describeLink, toListedLink, toWholeLink } from "../link.ts";
import { MAX_BULK_TOOL_LINKS, MAX_TOOL_ITEMS, MAX_UNCONFIRMED_DELETIONS } from "../limits.ts";
import { field, time } from "../schema.ts";
import { CHANGE_HINTS, defineTool, fitItems, ToolError } from "../tool.ts";
import { linkFilters, linkId } from "./read-links.ts";

const { shape } = CreateLink;
const { shape: bulkChanges } = updateLinks.request.body.content["application/json"].schema.shape.changes;

/** Changes that several links can share; null clears a field. */
const sharedChanges = {
  url: field(shape.url.optional(), "New destination."),
  title: field(shape.title, "null clears it."),
  tags: field(shape.tags, "Replaces all."),
  utm: field(shape.utm, "Set in the destination."),
  startsAt: time(shape.startsAt, "null: at once."),
  expiresAt: time(shape.expiresAt, "ISO 8601 or a day; null: never."),
  expiredUrl: field(shape.expiredUrl, "Destination after the end."),
  maxClicks: field(shape.maxClicks, "null: no limit."),
  passParameters: shape.passParameters,
  disabled: field(shape.disabled, "true ends the link."),
  archived: field(shape.archived, "Hides from lists."),
};

export const updateLink = defineTool({
  name: "update_link",
  title: "Update link",
  description:
    'Changes the given fields of one link. A new slug keeps the former one as an alias. Example: {"id": "…", "url": "https://example.com/summer"}',
  permissions: ["links:write"],
  hints: CHANGE_HINTS,
  input: z.strictObject({
    id: linkId,
    ...sharedChanges,
    slug: field(shape.slug, "New path."),
    password: field(shape.password, "null removes it."),
    ios: field(shape.ios, "null removes it."),
    android: field(shape.android, "null removes it."),
    geo: field(shape.geo, "By country; replaces all.", { type: "object" }),
  }),
  output: { link: { type: "object" } },
  async answer({ id, ...changes }, { api }) {
    const { link } = await api.json<{ link: Link }>("PATCH", `/api/links/${encodeURIComponent(id)}`, { body: changes });
    return { data: { link: toWholeLink(link) }, text: `Changed ${describeLink(link)}.` };
  },
});

const dryRun = field(z.boolean().optional(), "Only lists what would be done.");

export const deleteLinks = defineTool({
  name: "delete_links",
  title: "Delete links",
  description: `Deletes up to ${MAX_TOOL_ITEMS} links. Visitors get a 404; the person can restore them for 7 days in the dashboard. Call it with dryRun first and show the person the list. Example: {"ids": ["…"], "dryRun": true}`,
  permissions: ["links:read", "links:write"],
  hints: CHANGE_HINTS,
  input: z.strictObject({
    ids: field(z.array(linkId).min(1).max(MAX_TOOL_ITEMS), "From list_links."),
    dryRun,
  }),
  output: {
    deleted: { type: "integer" },
    wouldDelete: { type: "integer" },
    links: { type: "array" },
    failed: { type: "array" },
  },
  async answer({ ids, dryRun: isDryRun = false }, { api, confirm }) {
    if (isDryRun) return describeDeletion(await readLinks(api, ids));
    if (ids.length > MAX_UNCONFIRMED_DELETIONS) {
      const answer = confirm(`Delete ${ids.length} links? Their visitors get a 404 at once.`);
      if (answer === null) return null;
      if (answer === "no") return { data: { deleted: 0 }, text: "The person declined. Nothing was deleted." };
    }
    const { results } = await api.json<{ results: ({ success: true } | ErrorBody)[] }>("DELETE", "/api/links/bulk", {
      body: { ids },
    });
    const failed = failuresOf(results, ids);
    const deleted = ids.length - failed.length;
    const lines = [
      `Deleted ${deleted} of ${ids.length} links. They can be restored for 7 days.`,
      ...describeAll(failed),
    ];
    return { data: { deleted, failed }, text: lines.join("\n") };
  },
});

interface Failure {
  id: string;
  error: string;
}

const describeAll = (failed: readonly Failure[]) => failed.map(({ id, error }) => `- Not done: ${id}: ${error}`);

function failuresOf(results: readonly (object | ErrorBody)[], ids: readonly string[]): Failure[] {
  return results.flatMap((result, index) => ("error" in result ? [{ id: ids[index] ?? "", error: result.error }] : []));
}

/** Each of the links, or why it cannot be read. */
async function readLinks(api: Api, ids: readonly string[]): Promise<({ link: Link } | Failure)[]> {
  return Promise.all(
    ids.map(async (id) => {
      try {
        return await api.json<{ link: Link }>("GET", `/api/links/${encodeURIComponent(id)}`);
      } catch (error) {
        if (error instanceof ApiFailure && error.code !== "rate_limited") return { id, error: error.message };
        throw error;
      }
    }),
  );
}

function describeDeletion(found: readonly ({ link: Link } | Failure)[]) {
  const links = found.flatMap((entry) => ("link" in entry ? [entry.link] : []));
  const failed = found.flatMap((entry) => ("link" in entry ? [] : [entry]));
  const lines = [
    `Nothing was deleted. ${links.length} links would be:`,
    ...links.map((link) => `- ${describeLink(link)}`),
    ...describeAll(failed),
  ];
  const shown = fitItems(links.map(toListedLink), failed);
  return { data: { wouldDelete: links.length, links: shown, failed }, text: lines.join("\n") };
}

export const bulkUpdateLinks = defineTool({
  name: "bulk_update_links",
  title: "Update many links",
  description: `Changes up to ${MAX_BULK_TOOL_LINKS} links alike, by ids or a filter; \`remaining\` says how many more match. Call it with dryRun first. Example: {"filter": {"tag": ["spring"]}, "changes": {"archived": true}, "dryRun": true}`,
  permissions: ["links:read", "links:write"],
  hints: CHANGE_HINTS,
  input: z.strictObject({
    ids: field(z.array(linkId).min(1).max(MAX_BULK_TOOL_LINKS).optional(), "Either ids or filter."),
    filter: z.strictObject(linkFilters).optional(),
    changes: z.strictObject({
      ...sharedChanges,
      addTags: field(bulkChanges.addTags, "Keeps the others."),
      removeTags: bulkChanges.removeTags,
    }),
    dryRun,
  }),
  output: {
    changed: { type: "integer" },
    wouldChange: { type: "integer" },
    examples: { type: "array" },
    failed: { type: "array" },
    remaining: { type: "integer" },
  },
  async answer({ ids, filter, changes, dryRun: isDryRun = false }, { api }) {
    if ((ids === undefined) === (filter === undefined))
      throw new ToolError("Give either ids or filter. Nothing was changed.");
    const page = filter === undefined ? null : await findMatching(api, filter);
    const targets = ids ?? page?.links.map(({ id }) => id) ?? [];
    const remaining = page === null ? 0 : Math.max(0, (page.count?.value ?? 0) - targets.length);
    if (targets.length === 0) return { data: { changed: 0, remaining }, text: "No link matches. Nothing was changed." };
    if (isDryRun) return describeChange(targets.length, page?.links ?? [], remaining);
    const { results } = await api.json<{ results: ({ link: Link } | ErrorBody)[] }>("PATCH", "/api/links/bulk", {
      body: { ids: targets, changes },
    });
    const failed = failuresOf(results, targets);
    const changed = targets.length - failed.length;
    const more = remaining === 0 ? "" : ` ${remaining} more match the filter: call again with a narrower one.`;
    const lines = [
      `Changed ${changed} of ${targets.length} links.${more}`,
      ...describeAll(failed.slice(0, MAX_TOOL_ITEMS)),
    ];
    return { data: { changed, failed: failed.slice(0, MAX_TOOL_ITEMS), remaining }, text: lines.join("\n") };
  },
});

const findMatching = (api: Api, filter: Record<string, string | number | string[] | undefined>) =>
  api.json<Links>("GET", "/api/links", { query: { ...filter, limit: MAX_BULK_TOOL_LINKS, count: true } });

function describeChange(count: number, links: readonly Link[], remaining: number) {
  const examples = links.slice(0, MAX_TOOL_ITEMS);
  const more = remaining === 0 ? "" : ` ${remaining} more match the filter.`;
  const lines = [
    `Nothing was changed. ${count} links would be.${more}`,
    ...examples.map((link) => `- ${describeLink(link)}`),
  ];
  const shown = fitItems(examples.map(toListedLink));
  return { data: { wouldChange: count, examples: shown, remaining }, text: lines.join("\n") };
}
