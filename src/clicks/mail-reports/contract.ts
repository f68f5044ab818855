import { createRoute, z } from "@hono/zod-openapi";
import { MAX_TIME_ZONE_CHARS } from "../analytics/limits.ts";
import { isTimeZone } from "../analytics/time-zone.ts";
import {
  conflicting,
  json,
  jsonBody,
  operation,
  pageOrJson,
  sessionOnly,
  Success,
} from "../../platform/http/contract.ts";
import { ErrorBody } from "../../platform/http/error-body.ts";
import { Id, IdInput, idParams } from "../../platform/http/id.ts";
import { errorRef } from "../../platform/http/openapi-components.ts";
import { changesOf, Timestamp } from "../../platform/http/validation.ts";
import { TagName } from "../../links/fields.ts";
import { MAX_OWN_MAIL_REPORTS, MAX_MAIL_REPORTS_PER_ACCOUNT, MAX_STOP_TOKEN_CHARS } from "./limits.ts";
import { because } from "../../platform/http/faults.ts";

/** Routes for persons, for the account of the header `X-Account-Id`. */

const Frequency = z.enum(["weekly", "monthly"]).openapi({
  description: "Sent at 07:00 on Mondays, or on the first day of a month.",
});
export type Frequency = z.infer<typeof Frequency>;

const TimeZoneName = z
  .string()
  .refine(isTimeZone, because("not_a_time_zone"))
  .openapi({ maxLength: MAX_TIME_ZONE_CHARS, description: "An IANA time zone.", example: "Europe/Berlin" });

const MailReport = z
  .object({
    id: Id,
    frequency: Frequency,
    timezone: TimeZoneName,
    linkId: Id.nullable().openapi({ description: "The link; null: not of a link." }),
    tag: z.string().nullable().openapi({ description: "The tag; null: not of a tag.", example: "sale" }),
    nextAt: Timestamp.openapi({ description: "When the next one is sent, in Unix milliseconds." }),
    createdAt: Timestamp.openapi({ description: "When it was asked for, in Unix milliseconds." }),
  })
  .openapi("MailReport", { description: "A report of clicks that a person gets by mail." });
export type MailReport = z.infer<typeof MailReport>;

const CreateMailReport = z
  .strictObject({
    frequency: Frequency,
    timezone: TimeZoneName,
    linkId: IdInput.optional(),
    tag: TagName.optional().openapi({ description: "The tag, as a link has it." }),
  })
  .refine(({ linkId, tag }) => linkId === undefined || tag === undefined, {
    path: ["tag"],
    error: because("not_together", { field: "linkId" }),
  })
  .openapi("CreateMailReport", { description: "Without `linkId` and `tag`, a report of all links." });
export type CreateMailReport = z.infer<typeof CreateMailReport>;

const UpdateMailReport = changesOf(
  "UpdateMailReport",
  { frequency: Frequency.optional(), timezone: TimeZoneName.optional() },
  { frequency: "weekly" },
);
export type UpdateMailReport = z.infer<typeof UpdateMailReport>;

const params = idParams("report");
const oneReport = z.object({ report: MailReport });
const taken = conflicting("You get this report already, or the maximum number of reports.");

export const createMailReport = createRoute({
  ...operation("post", "/api/account/mail-reports", "Account", "Subscribe to report"),
  ...sessionOnly,
  description: `For the person themselves: at most ${MAX_OWN_MAIL_REPORTS} in an account, whose members get at most ${MAX_MAIL_REPORTS_PER_ACCOUNT}.`,
  request: jsonBody(CreateMailReport),
  responses: { 201: json(oneReport, "The report."), ...taken },
});

export const listMailReports = createRoute({
  ...operation("get", "/api/account/mail-reports", "Account", "List reports by mail"),
  ...sessionOnly,
  description: "The person's own ones, newest first.",
  responses: {
    200: json(
      z.object({ reports: z.array(MailReport).openapi({ description: "The reports, newest first." }) }),
      "The reports.",
    ),
  },
});

export const updateMailReport = createRoute({
  ...operation("patch", "/api/account/mail-reports/{id}", "Account", "Update report by mail"),
  ...sessionOnly,
  request: { params, ...jsonBody(UpdateMailReport) },
  responses: { 200: json(oneReport, "The report after the change."), ...taken },
});

export const deleteMailReport = createRoute({
  ...operation("delete", "/api/account/mail-reports/{id}", "Account", "Unsubscribe from report"),
  ...sessionOnly,
  request: { params },
  responses: { 200: json(Success, "The report is no longer sent.") },
});

const stopQuery = z.strictObject({
  token: z.string().max(MAX_STOP_TOKEN_CHARS).openapi({
    description: "The token of the URL in the mail.",
    example: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f.q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
  }),
});

const brokenToken = pageOrJson(ErrorBody, "The request is invalid, or its token is broken.");

export const showStop = createRoute({
  ...operation("get", "/api/account/mail-reports/stop", "Mails", "Show how to stop report"),
  security: [],
  description: "A page with a button. It changes nothing, because programs that check mails open their links.",
  request: { query: stopQuery },
  responses: {
    200: { description: "The page.", content: { "text/html": { schema: z.string() } } },
    400: brokenToken,
    401: errorRef(401),
  },
});

export const stopMailReport = createRoute({
  ...operation("post", "/api/account/mail-reports/stop", "Mails", "Stop report"),
  security: [],
  description: "Without a session, for the header `List-Unsubscribe` of the mail (RFC 8058). May be repeated.",
  request: { query: stopQuery },
  responses: { 200: pageOrJson(Success, "The report is no longer sent."), 400: brokenToken, 401: errorRef(401) },
});
