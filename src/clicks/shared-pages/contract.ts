import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, Success } from "../../platform/http/contract.ts";
import { Id, IdInput, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { hasChange, lineOfProse, Timestamp } from "../../platform/http/validation.ts";
import { isId } from "../../platform/lib/uuid.ts";
import { MAX_TITLE_CHARS } from "../../limits.ts";
import { Password, TagName } from "../../links/fields.ts";
import { MAX_SHARED_PAGES_PER_ACCOUNT } from "./limits.ts";
import { because } from "../../platform/http/faults.ts";

// What accounts send and get. viewer-contract.ts is for those who open a page.

export const EXAMPLE_SHARE_TOKEN = "share_q7Hn0Cj1yq3fR2mXv8bT5kZs9wL4dP6gA0eUiYoNcWx";

export const SharedPage = z
  .object({
    id: Id,
    linkId: Id.nullable().openapi({ description: "The link whose clicks the page shows; null for a tag." }),
    tag: z.string().nullable().openapi({ description: "The tag whose clicks the page shows; null for a link." }),
    title: z.string().nullable().openapi({ description: "What viewers see as the title." }),
    url: z
      .string()
      .openapi({ format: "uri", description: "The URL of the page. Everybody who has it can open the page." }),
    hasPassword: z.boolean().openapi({ description: "Whether viewers must enter a password." }),
    showDestination: z.boolean().openapi({ description: "Whether viewers see where the link leads." }),
    passwordAttackedAt: Timestamp.nullable().openapi({
      description: "When many wrong passwords were last entered, at most once an hour; null: never.",
    }),
    createdAt: Timestamp.openapi({ description: "When the page was created, in Unix milliseconds." }),
    updatedAt: Timestamp.openapi({ description: "When it was last changed, in Unix milliseconds." }),
  })
  .openapi("SharedPage", {
    description: "The clicks of a link or a tag, for everybody who has the URL.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      linkId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      tag: null,
      title: "Spring sale",
      url: `https://go.example/app/shared/${EXAMPLE_SHARE_TOKEN}`,
      hasPassword: true,
      showDestination: false,
      passwordAttackedAt: null,
      createdAt: 1_790_000_000_000,
      updatedAt: 1_790_000_000_000,
    },
  });
export type SharedPage = z.infer<typeof SharedPage>;

const settings = {
  title: lineOfProse(MAX_TITLE_CHARS).nullish().openapi({ description: "The title of the page." }),
  password: Password.nullish().openapi({
    description: "Viewers must enter it. Responses only tell whether there is one (`hasPassword`).",
  }),
  showDestination: z
    .boolean()
    .nullish()
    .openapi({ description: "Shows viewers where the link leads. Not for a tag. Default: false." }),
};

const CreateSharedPage = z
  .strictObject({
    linkId: IdInput.refine(isId, because("not_an_id", { resource: "link" }))
      .optional()
      .openapi({ description: "A link of the account, instead of `tag`." }),
    tag: TagName.optional().openapi({ description: "A tag of the account's links, in any case, instead of `linkId`." }),
    ...settings,
  })
  .refine(({ linkId, tag }) => (linkId === undefined) !== (tag === undefined), {
    path: ["linkId"],
    message: because("not_one_given", { allowed: ["linkId", "tag"] }),
  })
  .refine(({ tag, showDestination }) => tag === undefined || showDestination !== true, {
    path: ["showDestination"],
    message: because("no_destination_of_tag"),
  })
  .openapi("CreateSharedPage", {
    description: "A new shared page, of either a link or a tag.",
    example: { tag: "sale", title: "Spring sale", password: "tern in the wind" },
  });
export type CreateSharedPage = z.infer<typeof CreateSharedPage>;

const UpdateSharedPage = z
  .strictObject(settings)
  .refine(hasChange, because("nothing_given"))
  .openapi("UpdateSharedPage", {
    description: "The changed fields of a shared page; null clears a field.",
    minProperties: 1,
    example: { password: null },
  });
export type UpdateSharedPage = z.infer<typeof UpdateSharedPage>;

const params = idParams("shared page");

// Routes

export const createSharedPage = createRoute({
  ...operation("post", "/api/shared-pages", "Shared pages", "Create shared page"),
  description: `An account has at most ${MAX_SHARED_PAGES_PER_ACCOUNT} shared pages.`,
  request: jsonBody(CreateSharedPage),
  responses: {
    201: json(z.object({ sharedPage: SharedPage }), "The shared page."),
    ...conflicting("The account has the maximum number of shared pages."),
  },
});

export const listSharedPages = createRoute({
  ...operation("get", "/api/shared-pages", "Shared pages", "List shared pages"),
  request: { query: z.strictObject(pageQuery) },
  responses: {
    200: pageOf("sharedPages", SharedPage, "At most `limit` of them.", "A page of shared pages, newest first."),
  },
});

export const getSharedPage = createRoute({
  ...operation("get", "/api/shared-pages/{id}", "Shared pages", "Get shared page"),
  request: { params },
  responses: { 200: json(z.object({ sharedPage: SharedPage }), "The shared page.") },
});

export const updateSharedPage = createRoute({
  ...operation("patch", "/api/shared-pages/{id}", "Shared pages", "Update shared page"),
  description:
    "Changes only the given fields. With `password`, viewers who entered the former one must enter the new one, also if it is the same.",
  request: { params, ...jsonBody(UpdateSharedPage) },
  responses: { 200: json(z.object({ sharedPage: SharedPage }), "The shared page after the change.") },
});

export const deleteSharedPage = createRoute({
  ...operation("delete", "/api/shared-pages/{id}", "Shared pages", "Delete shared page"),
  description: "The URL is not found from then on, and cannot be made again.",
  request: { params },
  responses: { 200: json(Success, "The shared page is deleted.") },
});
