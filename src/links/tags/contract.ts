import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody, operation } from "../../platform/http/contract.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { queryFlag } from "../../platform/http/query.ts";
import { hasChange } from "../../platform/http/validation.ts";
import { MAX_COLORED_TAGS_PER_ACCOUNT } from "../../limits.ts";
import { TagName } from "../fields.ts";
import { TAG_COLORS } from "./colors.ts";
import { JobResponse } from "./job-contract.ts";
import { JOB_REPEAT_MS } from "./limits.ts";
import { because } from "../../platform/http/faults.ts";

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

export const updateTag = createRoute({
  ...operation("patch", "/api/tags/{tag}", "Tags", "Update tag"),
  description: `With \`color\` alone, the tag has the colour at once. With \`name\`, a job renames the tag on all links of the account. If the account has a tag of the new name, the two become one. Filters of webhooks follow. With both, the tag and a tag of the new name have the colour before the job begins. An account has at most ${MAX_COLORED_TAGS_PER_ACCOUNT} tags with a colour. ${REPEATED}`,
  request: {
    params,
    ...jsonBody(
      z
        .strictObject({
          name: TagName.optional().openapi({ description: "The new name." }),
          color: Color.optional().openapi({ description: "The new colour; null: none." }),
        })
        .refine(hasChange, because("nothing_given"))
        .openapi("UpdateTag", {
          description: "The changed fields of a tag.",
          minProperties: 1,
          example: { color: "teal" },
        }),
    ),
  },
  responses: { 200: json(z.object({ tag: Tag }), "The tag with its new colour."), ...started },
});

export const deleteTag = createRoute({
  ...operation("delete", "/api/tags/{tag}", "Tags", "Delete tag"),
  description: `Removes the tag from all links of the account. The links stay, and so do filters of webhooks. ${REPEATED}`,
  request: { params },
  responses: started,
});
