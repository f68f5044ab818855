import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody, operation } from "../http/contract.ts";
import { pageOf, pageQuery } from "../http/pagination.ts";
import { queryFlag } from "../http/query.ts";
import { MAX_COLORED_TAGS_PER_ACCOUNT } from "../limits.ts";
import { TagName } from "../links/fields.ts";
import { TAG_COLORS } from "./colors.ts";
import { JobResponse } from "./job-contract.ts";
import { JOB_REPEAT_MS } from "./limits.ts";

const Color = z.enum(TAG_COLORS).nullable();

const Tag = z
  .object({
    name: z.string().openapi({ description: "As the first link has it, or as the tag was renamed." }),
    links: z.number().int().openapi({ description: "The account's links with this tag, archived ones included." }),
    color: Color.openapi({ description: "The colour that somebody gave it, or null." }),
  })
  .openapi("Tag", {
    description: "A tag of the account's links.",
    example: { name: "sale", links: 128, color: "teal" },
  });
export type Tag = z.infer<typeof Tag>;

const listQuery = z.strictObject({
  ...pageQuery,
  prefix: TagName.optional().openapi({ description: "Tags whose name starts with this text, in any case." }),
  colored: queryFlag.optional().openapi({ description: "`true`: tags with a colour. `false`: tags without one." }),
});
export type ListQuery = z.infer<typeof listQuery>;

const params = z.object({
  tag: TagName.openapi({
    param: { name: "tag", in: "path" },
    description: "The name of the tag, in any case.",
    example: "sale",
  }),
});

const REPEATED = `Repeated within ${JOB_REPEAT_MS / 60_000} minutes after no link has the tag any more, the request returns the same job.`;

const started = {
  202: json(JobResponse, "The job that does it. `GET /api/jobs/{id}` returns its progress."),
};

export const listTags = createRoute({
  ...operation("get", "/api/tags", "Tags", "List tags"),
  description: "The tags of the account's links, in the order of their names without regard to case.",
  request: { query: listQuery },
  responses: { 200: pageOf("tags", Tag, "The tags of the page.", "A page of tags.") },
});

export const renameTag = createRoute({
  ...operation("patch", "/api/tags/{tag}", "Tags", "Rename tag"),
  description: `Renames the tag on all links of the account. If the account has a tag of the new name, the two become one. Filters of webhooks follow. ${REPEATED}`,
  request: {
    params,
    ...jsonBody(
      z
        .strictObject({ name: TagName.openapi({ description: "The new name." }) })
        .openapi("RenameTag", { description: "The new name of a tag.", example: { name: "Promotion" } }),
    ),
  },
  responses: started,
});

export const deleteTag = createRoute({
  ...operation("delete", "/api/tags/{tag}", "Tags", "Delete tag"),
  description: `Removes the tag from all links of the account. The links stay, and so do filters of webhooks. ${REPEATED}`,
  request: { params },
  responses: started,
});

export const colorTag = createRoute({
  ...operation("put", "/api/tags/{tag}/color", "Tags", "Set color of tag"),
  description: `An account has at most ${MAX_COLORED_TAGS_PER_ACCOUNT} tags with a colour.`,
  request: {
    params,
    ...jsonBody(
      z
        .strictObject({ color: Color.openapi({ description: "The new colour; null: none." }) })
        .openapi("ColorTag", { description: "The new colour of a tag.", example: { color: "teal" } }),
    ),
  },
  responses: { 200: json(z.object({ tag: Tag }), "The tag.") },
});
