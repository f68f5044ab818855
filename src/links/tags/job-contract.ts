import { createRoute, z } from "@hono/zod-openapi";
import { json, operation } from "../../platform/http/contract.ts";
import { FaultBody } from "../../platform/http/error-body.ts";
import { Id, idParams } from "../../platform/http/id.ts";
import { Timestamp } from "../../platform/http/validation.ts";
import { DAY_MS } from "../../limits.ts";
import { TAG_JOB_KEPT_MS } from "./limits.ts";

export const Job = z
  .object({
    id: Id,
    type: z.enum(["tag.rename", "tag.delete"]).openapi({ description: "What the job does." }),
    status: z.enum(["pending", "running", "done", "failed"]).openapi({
      description: "A `pending` job waits for its turn: the jobs of an account run one after the other.",
    }),
    input: z
      .object({
        tag: z.string().openapi({ description: "The tag, as the request named it." }),
        name: z.string().nullable().openapi({ description: "The new name; null for a deletion." }),
      })
      .openapi({ description: "What was asked for." }),
    done: z.number().int().openapi({ description: "Links changed so far." }),
    total: z.number().int().openapi({
      description: "Links to change, as far as it is known; exact once the job is done.",
    }),
    error: z.string().nullable().openapi({ description: "Why the job failed; null otherwise." }),
    fault: FaultBody.nullable().openapi({ description: "The same for programs; null otherwise." }),
    createdAt: Timestamp.openapi({ description: "When the job was created." }),
    finishedAt: Timestamp.nullable().openapi({ description: "When the job was done, or failed; null before." }),
  })
  .openapi("Job", {
    description: "Work on many links.",
    example: {
      id: "01920b5c-7d6a-7c3e-9b1f-2f4a5c6d7e8f",
      type: "tag.rename",
      status: "running",
      input: { tag: "sale", name: "Promotion" },
      done: 1_500,
      total: 20_000,
      error: null,
      fault: null,
      createdAt: 1_790_000_000_000,
      finishedAt: null,
    },
  });
export type Job = z.infer<typeof Job>;

export const JobResponse = z.object({ job: Job });

export const getJob = createRoute({
  ...operation("get", "/api/jobs/{id}", "Jobs", "Get job"),
  description: `The progress of work on many links. A job that has ended can be read for ${TAG_JOB_KEPT_MS / DAY_MS} days.`,
  request: { params: idParams("job") },
  responses: { 200: json(JobResponse, "The job.") },
});
