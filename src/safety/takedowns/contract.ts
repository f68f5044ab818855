import { createRoute, z } from "@hono/zod-openapi";
import { json, jsonBody, operation, sessionOnly, Success } from "../../platform/http/contract.ts";
import { ErrorBody } from "../../platform/http/error-body.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { lineOfProse, lineOfText, Timestamp } from "../../platform/http/validation.ts";
import { MAX_URL_CHARS } from "../../limits.ts";
import { TAKEDOWN_REASONS } from "../../redirect/verdict.ts";
import { MAX_STATEMENT_CHARS } from "../limits.ts";

/** Routes for operators of the service. */

const Kind = z.enum(["link", "account", "domain", "host"]).openapi({ description: "What is taken down." });
export const Reason = z.enum(TAKEDOWN_REASONS).openapi({ description: "Why. The owner is told." });
const Statement = lineOfProse(MAX_STATEMENT_CHARS).openapi({
  description: "What the owner is told besides the reason: the facts and the ground of the decision.",
  example: "The page asks for passwords of a bank that it does not belong to.",
});

export const Takedown = z
  .object({
    id: Id,
    kind: Kind,
    value: z.string().openapi({ description: "A short URL, the id of an account, a domain, or a host." }),
    reason: Reason.nullable().openapi({ description: "Why; null after a legal order." }),
    legal: z.boolean().openapi({ description: "Whether a legal order demands it." }),
    statement: Statement.nullable(),
    createdAt: Timestamp.openapi({ description: "When it began, in Unix milliseconds." }),
    createdBy: z
      .string()
      .nullable()
      .openapi({ description: "The name of the operator; null: the person is deleted, or the reader is no operator." }),
    reversedAt: Timestamp.nullable().openapi({
      description: "When it was reversed, in Unix milliseconds; null: it is in force.",
    }),
    links: z
      .int()
      .nullable()
      .openapi({ description: "The links to the host that were found; null: no host, or the reader is no operator." }),
  })
  .openapi("Takedown", {
    description:
      "A link, an account or a domain with all of its links, or all links to a host, that visitors cannot follow any more.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      kind: "link",
      value: "https://go.example/spring",
      reason: "phishing",
      legal: false,
      statement: null,
      createdAt: 1_790_000_000_000,
      createdBy: "Ann Lee",
      reversedAt: null,
      links: null,
    },
  });
export type Takedown = z.infer<typeof Takedown>;

/** What an operator says of a takedown besides what is taken down. */
export const Impose = {
  reason: Reason,
  statement: Statement.optional(),
  legal: z.boolean().optional().openapi({ description: "A legal order demands it: visitors get a 451." }),
};

const CreateTakedown = z
  .strictObject({
    value: lineOfText(MAX_URL_CHARS).openapi({
      description:
        "Of a link: its id or its short URL. Of an account: its id. A custom domain, or a host of destinations, by its name.",
      example: "https://go.example/spring",
    }),
    kind: Kind,
    ...Impose,
  })
  .openapi("CreateTakedown", { description: "A new takedown." });
export type CreateTakedown = z.infer<typeof CreateTakedown>;

const OperatorEntry = z
  .object({
    id: Id,
    operator: z
      .object({
        id: Id,
        name: z.string().nullable().openapi({ description: "The name; null: the person is deleted." }),
      })
      .nullable()
      .openapi({ description: "Who did it; null: `npm run account`, or the service itself." }),
    action: z
      .enum([
        "operator.add",
        "operator.remove",
        "person.sign_in_link",
        "takedown.create",
        "takedown.reverse",
        "screening.add",
        "screening.remove",
        "report.dismiss",
        "report.take_down",
        "appeal.uphold",
        "appeal.reverse",
        "screening.verdict",
        "account.invite",
      ])
      .openapi({ description: "What was done." }),
    subject: z.string().openapi({ description: "What it was done to." }),
    details: z
      .record(z.string(), z.union([z.string(), z.boolean(), z.null()]))
      .nullable()
      .openapi({ description: "More about it; null: nothing." }),
    country: z.string().nullable().openapi({ description: "From which country; null: unknown." }),
    createdAt: Timestamp.openapi({ description: "When, in Unix milliseconds." }),
  })
  .openapi("OperatorEntry", {
    description: "What an operator did.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      operator: { id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e90", name: "Ann Lee" },
      action: "takedown.create",
      subject: "https://go.example/spring",
      details: null,
      country: "DE",
      createdAt: 1_790_000_000_000,
    },
  });
export type OperatorEntry = z.infer<typeof OperatorEntry>;

const oneTakedown = z.object({ takedown: Takedown });
export const forOthers = { 404: json(ErrorBody, "Nothing has this name or id, or the caller is no operator.") };

export const createTakedown = createRoute({
  ...operation("post", "/api/admin/takedowns", "Administration", "Create takedown"),
  ...sessionOnly,
  description:
    "Visitors of the links get a neutral page with 410, or 451 after a legal order, in all data centres within 35 seconds. Browsers may repeat a 301 or 308 for a day. Those to a host are looked for first, with those to its subdomains, and no new link may lead there. The owners are told by mail. What is taken down already stays so, and the response has that takedown.",
  request: jsonBody(CreateTakedown),
  responses: { 201: json(oneTakedown, "The takedown in force."), ...forOthers },
});

export const listTakedowns = createRoute({
  ...operation("get", "/api/admin/takedowns", "Administration", "List takedowns"),
  ...sessionOnly,
  description: "Newest first, with those that were reversed.",
  request: { query: z.strictObject(pageQuery) },
  responses: {
    200: pageOf("takedowns", Takedown, "The takedowns of the page.", "A page of takedowns."),
    ...forOthers,
  },
});

export const reverseTakedown = createRoute({
  ...operation("delete", "/api/admin/takedowns/{id}", "Administration", "Reverse takedown"),
  ...sessionOnly,
  description:
    "The links have the verdict from before again, in all data centres within 35 seconds. The owners are told by mail.",
  request: { params: idParams("takedown") },
  responses: { 200: json(Success, "The takedown is reversed.") },
});

export const listOperatorEntries = createRoute({
  ...operation("get", "/api/admin/audit", "Administration", "List operator entries"),
  ...sessionOnly,
  description: "What operators did, newest first.",
  request: { query: z.strictObject(pageQuery) },
  responses: {
    200: pageOf("entries", OperatorEntry, "The entries of the page.", "A page of entries."),
    ...forOthers,
  },
});
