import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation, sessionOnly } from "../../platform/http/contract.ts";
import { Id, IdInput, idParams } from "../../platform/http/id.ts";
import { pageOf, pageQuery } from "../../platform/http/pagination.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { REPORT_REASONS } from "./form/form.ts";
import { forOthers, Impose } from "../takedowns/contract.ts";
import { MAX_DISMISSED_REPORTS } from "../limits.ts";

/** What visitors reported, for operators of the service. */

const State = z.enum(["open", "decided"]).openapi({ description: "Whether a decision is pending." });
const text = (description: string) => z.string().nullable().openapi({ description });

const Report = z
  .object({
    id: Id,
    linkId: z.string().openapi({ description: "The id of the link." }),
    shortUrl: z.string().openapi({ format: "uri", description: "The reported short URL." }),
    destination: text("Where the link leads now, also behind a password; null: it is deleted.").openapi({
      format: "iri",
    }),
    accountId: text("The id of its account; null: it has none."),
    accountName: text("The name of its account."),
    domain: text("Its custom domain; null: it has none."),
    openReports: z.int().openapi({ description: "Reports of the same link that wait for a decision." }),
    reason: z.enum(REPORT_REASONS).openapi({ description: "What the reporter says is wrong." }),
    details: text("What the reporter wrote; null: nothing."),
    reporter: z
      .object({ name: text("The name; null: not given."), email: text("The address; null: not given.") })
      .openapi({ description: "Who reported it. Nobody has checked it." }),
    createdAt: Timestamp.openapi({ description: "When it was sent, in Unix milliseconds." }),
    decision: z
      .enum(["dismissed", "taken_down"])
      .nullable()
      .openapi({ description: "What an operator decided; null: nothing yet. The reporter sees it." }),
    decidedAt: Timestamp.nullable().openapi({ description: "When, in Unix milliseconds; null: not yet." }),
  })
  .openapi("Report", {
    description: "What a visitor reported of a link.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      linkId: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e90",
      shortUrl: "https://go.example/spring",
      destination: "https://bank.example/",
      accountId: null,
      accountName: null,
      domain: null,
      openReports: 1,
      reason: "phishing",
      details: null,
      reporter: { name: null, email: null },
      createdAt: 1_790_000_000_000,
      decision: null,
      decidedAt: null,
    },
  });
export type Report = z.infer<typeof Report>;

const DecideReport = z
  .discriminatedUnion("action", [
    z.strictObject({ action: z.literal("dismiss").openapi({ description: "The link stays as it is." }) }),
    z.strictObject({
      action: z.literal("take_down").openapi({ description: "The link, or its account or domain, is taken down." }),
      kind: z.enum(["link", "account", "domain"]).openapi({ description: "What is taken down." }),
      ...Impose,
    }),
  ])
  .openapi("DecideReport", {
    description: "The decision about a report, and about all others that it settles.",
    example: { action: "dismiss" },
  });
export type DecideReport = z.infer<typeof DecideReport>;

export const listReports = createRoute({
  ...operation("get", "/api/admin/reports", "Administration", "List reports"),
  ...sessionOnly,
  description: "Open ones oldest first, decided ones newest first.",
  request: { query: z.strictObject({ state: State.default("open"), ...pageQuery }) },
  responses: {
    200: pageOf("reports", Report, "The reports of the page.", "A page of reports."),
    ...forOthers,
  },
});

export const decideReport = createRoute({
  ...operation("post", "/api/admin/reports/{id}/decision", "Administration", "Decide report"),
  ...sessionOnly,
  description: "Decides all open reports of the link, or of all links of the account or domain.",
  request: { params: idParams("report"), ...jsonBody(DecideReport) },
  responses: {
    200: json(z.object({ report: Report }), "The decided report."),
    ...forOthers,
    ...conflicting("The report is decided already."),
  },
});

export const dismissReports = createRoute({
  ...operation("post", "/api/admin/reports/dismissals", "Administration", "Dismiss reports"),
  ...sessionOnly,
  description: "Dismisses these reports. Reports that are decided already stay so.",
  request: jsonBody(
    z
      .strictObject({
        ids: z.array(IdInput).min(1).max(MAX_DISMISSED_REPORTS).openapi({ description: "The ids of reports." }),
      })
      .openapi("DismissReports", {
        description: "What is dismissed.",
        example: { ids: ["01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"] },
      }),
  ),
  responses: {
    200: json(
      z.object({
        dismissed: z.int().openapi({ description: "Links of which this call dismissed reports.", example: 1 }),
      }),
      "The reports are dismissed.",
    ),
    ...forOthers,
  },
});
