import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, sessionOnly, Success } from "../../platform/http/contract.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { changesOf, lineOfProse, lineOfText, Timestamp } from "../../platform/http/validation.ts";
import { MAX_OWN_VIEWS, MAX_SHARED_VIEWS, MAX_VIEW_NAME_CHARS, MAX_VIEW_QUERY_CHARS } from "./limits.ts";

/** Routes for persons, for the account of the header `X-Account-Id`. */

const Kind = z.enum(["links", "analytics"]).openapi({ description: "The page of the dashboard." });
const Name = lineOfProse(MAX_VIEW_NAME_CHARS).openapi({ description: "Unique in any case.", example: "Broken, shop" });
const Query = lineOfText(MAX_VIEW_QUERY_CHARS).openapi({
  description: "The search parameters of the page.",
  example: "destination=broken&search=shop",
});
const Shared = z.boolean().openapi({ description: "Whether all members of the account have it." });

const SavedView = z
  .object({
    id: Id,
    kind: Kind,
    name: Name,
    query: Query,
    shared: Shared,
    createdAt: Timestamp.openapi({ description: "When it was saved, in Unix milliseconds." }),
    updatedAt: Timestamp.openapi({ description: "When it last changed, in Unix milliseconds." }),
  })
  .openapi("SavedView", { description: "Filters and an order by name." });
export type SavedView = z.infer<typeof SavedView>;

const CreateView = z
  .strictObject({ kind: Kind, name: Name, query: Query, shared: Shared.optional() })
  .openapi("CreateSavedView", { description: "A new view." });
export type CreateView = z.infer<typeof CreateView>;

const UpdateView = changesOf(
  "UpdateSavedView",
  { name: Name.optional(), query: Query.optional(), shared: Shared.optional() },
  { shared: true },
);
export type UpdateView = z.infer<typeof UpdateView>;

const params = idParams("view");
const oneView = z.object({ view: SavedView });
const NEEDS_WRITE = "A shared view also needs the permission `links:write`.";
const taken = conflicting("There is a view with this name, or the maximum number of views.");

export const createView = createRoute({
  ...operation("post", "/api/account/views", "Account", "Save view"),
  ...sessionOnly,
  description: `At most ${MAX_OWN_VIEWS} of a person and ${MAX_SHARED_VIEWS} shared ones. ${NEEDS_WRITE}`,
  request: jsonBody(CreateView),
  responses: { 201: json(oneView, "The view."), ...taken },
});

export const listViews = createRoute({
  ...operation("get", "/api/account/views", "Account", "List saved views"),
  ...sessionOnly,
  description: "The person's own views and the shared ones, newest first.",
  request: { query: z.strictObject({ ...pageQuery, kind: Kind.optional() }) },
  responses: { 200: pageOf("views", SavedView, "The views of the page.", "A page of views.") },
});

export const updateView = createRoute({
  ...operation("patch", "/api/account/views/{id}", "Account", "Update saved view"),
  ...sessionOnly,
  description: `With \`shared: false\`, a shared view becomes the person's own. ${NEEDS_WRITE}`,
  request: { params, ...jsonBody(UpdateView) },
  responses: { 200: json(oneView, "The view after the change."), ...taken },
});

export const deleteView = createRoute({
  ...operation("delete", "/api/account/views/{id}", "Account", "Delete saved view"),
  ...sessionOnly,
  description: NEEDS_WRITE,
  request: { params },
  responses: { 200: json(Success, "The view is deleted.") },
});
