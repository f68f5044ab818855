import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, sessionOnly } from "../../platform/http/contract.ts";
import { Id, IdInput, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { lineOfProse, Timestamp } from "../../platform/http/validation.ts";
import { forOthers, Takedown } from "../takedowns/contract.ts";
import { MAX_STATEMENT_CHARS } from "../limits.ts";

/** What owners say against takedowns. */

const Statement = lineOfProse(MAX_STATEMENT_CHARS).openapi({
  description: "What the owner says against the takedown.",
  example: "The bank is our customer, and ordered this page.",
});
const Answer = lineOfProse(MAX_STATEMENT_CHARS).openapi({
  description: "What the owner is told besides the decision.",
  example: "The bank confirmed it.",
});

const Appeal = z
  .object({
    id: Id,
    statement: Statement,
    createdAt: Timestamp.openapi({ description: "When it was made, in Unix milliseconds." }),
    decision: z
      .enum(["upheld", "reversed"])
      .nullable()
      .openapi({ description: "Whether the takedown stays or was reversed; null: nobody has decided yet." }),
    answer: Answer.nullable(),
    decidedAt: Timestamp.nullable().openapi({ description: "When, in Unix milliseconds; null: not yet." }),
  })
  .openapi("Appeal", {
    description: "What an owner says against a takedown.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      statement: "The bank is our customer, and ordered this page.",
      createdAt: 1_790_000_000_000,
      decision: null,
      answer: null,
      decidedAt: null,
    },
  });
export type Appeal = z.infer<typeof Appeal>;

const AppealedTakedown = z
  .object({
    takedown: Takedown,
    appeal: Appeal.nullable().openapi({ description: "What an owner says against it; null: nothing." }),
  })
  .openapi("AppealedTakedown", { description: "A takedown, with its appeal." });
export type AppealedTakedown = z.infer<typeof AppealedTakedown>;

export const listAppeals = createRoute({
  ...operation("get", "/api/admin/appeals", "Administration", "List appeals"),
  ...sessionOnly,
  description: "Open ones oldest first, decided ones newest first.",
  request: {
    query: z.strictObject({
      state: z.enum(["open", "decided"]).default("open").openapi({ description: "Whether a decision is pending." }),
      ...pageQuery,
    }),
  },
  responses: {
    200: pageOf("appeals", AppealedTakedown, "The appeals of the page.", "A page of appeals."),
    ...forOthers,
  },
});

export const decideAppeal = createRoute({
  ...operation("post", "/api/admin/appeals/{id}/decision", "Administration", "Decide appeal"),
  ...sessionOnly,
  description: "The owners are told by mail.",
  request: {
    params: idParams("appeal"),
    ...jsonBody(
      z
        .strictObject({
          action: z.enum(["uphold", "reverse"]).openapi({ description: "Whether the takedown stays or is reversed." }),
          answer: Answer.optional(),
        })
        .openapi("DecideAppeal", { description: "The decision about an appeal.", example: { action: "reverse" } }),
    ),
  },
  responses: {
    200: json(AppealedTakedown, "The decided appeal."),
    ...forOthers,
    ...conflicting("The appeal is decided already."),
  },
});

export const listOwnTakedowns = createRoute({
  ...operation("get", "/api/account/takedowns", "Account", "List takedowns of account"),
  ...sessionOnly,
  description: "What operators took down of the account, newest first, with those that were reversed.",
  request: {
    query: z.strictObject({
      linkId: IdInput.optional().openapi({ description: "Only what is in force and keeps visitors from this link." }),
      ...pageQuery,
    }),
  },
  responses: { 200: pageOf("takedowns", AppealedTakedown, "The takedowns of the page.", "A page of takedowns.") },
});

export const createAppeal = createRoute({
  ...operation("post", "/api/account/takedowns/{id}/appeal", "Account", "Appeal takedown"),
  ...sessionOnly,
  description: "Once for each takedown in force. A person decides, and the owners are told by mail.",
  request: {
    params: idParams("takedown"),
    ...jsonBody(
      z
        .strictObject({ statement: Statement })
        .openapi("CreateAppeal", { description: "What the owner says against the takedown." }),
    ),
  },
  responses: {
    201: json(z.object({ appeal: Appeal }), "The appeal."),
    ...conflicting("The takedown is reversed, or has an appeal."),
  },
});
