import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, Success } from "../../platform/http/contract.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { changesOf, lineOfProse, Timestamp } from "../../platform/http/validation.ts";
import { MAX_UTM_TEMPLATES_PER_ACCOUNT } from "../../limits.ts";
import { Utm } from "../fields.ts";
import { MAX_UTM_TEMPLATE_NAME_CHARS } from "./limits.ts";

const Name = lineOfProse(MAX_UTM_TEMPLATE_NAME_CHARS).openapi({
  description: "A label for people, unique in the account in any case.",
  example: "Newsletter",
});

export const UtmTemplate = z
  .object({
    id: Id,
    name: Name,
    // The parameters, such as `source`, are those of links.
    utm: Utm,
    createdAt: Timestamp.openapi({ description: "When the template was created, in Unix milliseconds." }),
    updatedAt: Timestamp.openapi({ description: "When the template last changed, in Unix milliseconds." }),
  })
  .openapi("UtmTemplate", { description: "Campaign parameters by name." });
export type UtmTemplate = z.infer<typeof UtmTemplate>;

const CreateTemplate = z
  .strictObject({ name: Name, utm: Utm })
  .openapi("CreateUtmTemplate", { description: "A new UTM template." });
export type CreateTemplate = z.infer<typeof CreateTemplate>;

const UpdateTemplate = changesOf(
  "UpdateUtmTemplate",
  { name: Name.optional(), utm: Utm.optional().openapi({ description: "Replaces all parameters." }) },
  { name: "Weekly newsletter" },
);
export type UpdateTemplate = z.infer<typeof UpdateTemplate>;

const params = idParams("UTM template");
const oneTemplate = z.object({ template: UtmTemplate });

export const createTemplate = createRoute({
  ...operation("post", "/api/utm-templates", "UTM templates", "Create UTM template"),
  description: `An account has at most ${MAX_UTM_TEMPLATES_PER_ACCOUNT} UTM templates. To use one, send its \`utm\` with a link.`,
  request: jsonBody(CreateTemplate),
  responses: {
    201: json(oneTemplate, "The UTM template."),
    ...conflicting("The account has a template with this name, or the maximum number of templates."),
  },
});

export const listTemplates = createRoute({
  ...operation("get", "/api/utm-templates", "UTM templates", "List UTM templates"),
  description: "Newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: { 200: pageOf("templates", UtmTemplate, "The UTM templates of the page.", "A page of UTM templates.") },
});

export const updateTemplate = createRoute({
  ...operation("patch", "/api/utm-templates/{id}", "UTM templates", "Update UTM template"),
  description: "Links that were made with the template stay as they are.",
  request: { params, ...jsonBody(UpdateTemplate) },
  responses: {
    200: json(oneTemplate, "The UTM template after the change."),
    ...conflicting("The account has another template with this name."),
  },
});

export const deleteTemplate = createRoute({
  ...operation("delete", "/api/utm-templates/{id}", "UTM templates", "Delete UTM template"),
  request: { params },
  responses: { 200: json(Success, "The UTM template is deleted.") },
});
