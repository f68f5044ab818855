import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, jsonBody, operation } from "../../platform/http/contract.ts";
import { Id, IdInput, idParams } from "../../platform/http/id.ts";
import { pageOf } from "../../platform/http/pagination.ts";
import { hasChange, Timestamp } from "../../platform/http/validation.ts";
import { jobActions, jobListQuery } from "../../jobs/contract.ts";
import { DAY_MS, JOB_TTL_MS, MAX_JOBS_PER_WINDOW, MAX_RUNNING_JOBS } from "../../limits.ts";
import { Domain, settings, Utm } from "../fields.ts";
import { LinkFilter } from "../list-contract.ts";
import { refineTagChanges, tagChanges } from "../tag-changes.ts";
import { Destination } from "../target-fields.ts";
import { BULK_JOB_PAGE_LINKS, MAX_BULK_JOB_IDS, MAX_BULK_JOB_LINKS } from "./limits.ts";
import { FaultBody } from "../../platform/http/error-body.ts";
import { because } from "../../platform/http/faults.ts";

const JOB_TTL_DAYS = JOB_TTL_MS / DAY_MS;

const BulkChanges = refineTagChanges(
  z
    .strictObject({
      url: Destination.optional(),
      utm: Utm.optional(),
      ...settings,
      domain: Domain.optional(),
      ...tagChanges,
    })
    .omit({ externalId: true })
    .refine(hasChange, because("nothing_given")),
).openapi("BulkChanges", {
  minProperties: 1,
  description: "The changed fields, as in `PATCH /api/links/bulk`; null clears a field.",
  example: { addTags: ["summer"], expiresAt: 1_798_675_200_000 },
});
export type BulkChanges = z.infer<typeof BulkChanges>;

const only = (description: string) => z.literal(true).optional().openapi({ description });

const StartBulkJob = z
  .strictObject({
    ids: z
      .array(IdInput)
      .min(1)
      .max(MAX_BULK_JOB_IDS)
      .optional()
      .openapi({ description: "The ids of the links.", example: ["01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f"] }),
    filter: LinkFilter.optional(),
    changes: BulkChanges.optional(),
    delete: only("Deletes the links. They can be restored for a week."),
    restore: only("Restores deleted links. Only with `ids`."),
  })
  .refine(
    ({ ids, filter }) => (ids === undefined) !== (filter === undefined),
    because("not_one_given", { allowed: ["ids", "filter"] }),
  )
  .refine(
    (body) => [body.changes, body.delete, body.restore].filter((value) => value !== undefined).length === 1,
    because("not_one_given", { allowed: ["changes", "delete", "restore"] }),
  )
  .refine(({ restore, filter }) => restore === undefined || filter === undefined, {
    path: ["restore"],
    message: because("needs", { field: "ids" }),
  })
  .openapi("StartBulkJob", {
    description: "Either `ids` or `filter`, and one of `changes`, `delete` and `restore`.",
    example: { filter: { tag: ["sale"] }, changes: { archived: true } },
  });
export type StartBulkJob = z.infer<typeof StartBulkJob>;

const count = (description: string) => z.number().int().nonnegative().openapi({ description });

export const BulkJob = z
  .object({
    id: Id,
    action: z.enum(["update", "delete", "restore"]).openapi({ description: "What the job does." }),
    fields: z.array(z.string()).openapi({ description: "The names of the changed fields; empty for other actions." }),
    status: z
      .enum(["reading", "running", "paused", "done", "failed", "cancelled", "undoing", "undone"])
      .openapi({ description: "`reading`: the links are being listed, and none is changed yet." }),
    progress: z
      .object({ done: count("Links done so far."), total: count("Links to do; final once the job is `running`.") })
      .openapi({ description: "How far the job is, or how far it is undone." }),
    changed: count("Links that the job changed, deleted or restored."),
    unchanged: count("Links that were already as the job would make them."),
    failed: count("Links that could not be changed. `GET /api/bulk/{id}/failures` lists them."),
    undone: count("Links that are again as they were before the job."),
    notUndone: count("Links that were changed after the job, so that they were left as they are. Listed as well."),
    error: z.string().nullable().openapi({ description: "Why the job failed; null otherwise." }),
    fault: FaultBody.nullable().openapi({
      description: "The same for programs; null otherwise.",
    }),
    createdAt: Timestamp.openapi({ description: "When the job was started." }),
    finishedAt: Timestamp.nullable().openapi({ description: "When the job, or its undoing, ended; null before." }),
    expiresAt: Timestamp.nullable().openapi({
      description: `When the job is deleted and can no longer be undone: ${JOB_TTL_DAYS} days after it ended or was paused; null while it runs.`,
    }),
  })
  .openapi("BulkJob", {
    description: "A change of many links in the background.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      action: "update",
      fields: ["addTags"],
      status: "running",
      progress: { done: 1_500, total: 20_000 },
      changed: 1_480,
      unchanged: 20,
      failed: 0,
      undone: 0,
      notUndone: 0,
      error: null,
      fault: null,
      createdAt: 1_790_000_000_000,
      finishedAt: null,
      expiresAt: null,
    },
  });
export type BulkJob = z.infer<typeof BulkJob>;

const one = z.object({ job: BulkJob });
const params = idParams("job");
const RUNNING = `${MAX_RUNNING_JOBS} jobs of the account are running already.`;

export const startBulkJob = createRoute({
  ...operation("post", "/api/bulk", "Bulk", "Start bulk job"),
  description: `Changes, deletes or restores up to ${MAX_BULK_JOB_IDS} links by their ids, or up to ${MAX_BULK_JOB_LINKS} links that match a filter now, in the background. At most ${MAX_JOBS_PER_WINDOW} jobs of an account an hour, and ${MAX_RUNNING_JOBS} at once.`,
  request: jsonBody(StartBulkJob),
  responses: { 202: json(one, "The job was started."), ...conflicting(RUNNING) },
});

export const listBulkJobs = createRoute({
  ...operation("get", "/api/bulk", "Bulk", "List bulk jobs"),
  request: { query: jobListQuery },
  responses: { 200: pageOf("jobs", BulkJob, "The jobs of the page, the newest first.", "A page of jobs.") },
});

export const getBulkJob = createRoute({
  ...operation("get", "/api/bulk/{id}", "Bulk", "Get bulk job"),
  request: { params },
  responses: { 200: json(one, "The job.") },
});

export const actions = jobActions({
  tag: "Bulk",
  path: "/api/bulk",
  noun: "job",
  title: "bulk job",
  response: one,
  full: RUNNING,
  failures:
    "A CSV file with the columns `id`, `reason` and `fault` (the code of the first fault): the links that were not changed, or not undone.",
  cancel: `Up to ${BULK_JOB_PAGE_LINKS} more links may still be changed. What is done can be undone.`,
  undo: "Gives each link the values back that it had before the job; deleted links are restored, and restored ones deleted. Links that were changed after the job are left as they are, and listed as failures.",
});
