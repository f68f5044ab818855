import { createRoute, z } from "@hono/zod-openapi";
import { conflicting, json, operation } from "../platform/http/contract.ts";
import { idParams } from "../platform/http/id.ts";
import type { Tag } from "../platform/http/openapi.ts";
import { pageQuery } from "../platform/http/pagination.ts";

interface Described<P extends string, R extends z.ZodType> {
  /** The path of the jobs, such as `/api/bulk`. */
  path: P;
  tag: Tag;
  /** What sentences call a job, and summaries: `job` and `bulk job`. */
  noun: string;
  title: string;
  /** The response with a job. */
  response: R;
  /** Why a job cannot run now. */
  full: string;
  /** What the file with the failures has. */
  failures: string;
  /** What becomes of a page that is being done, and of the pages before it. */
  cancel: string;
  undo: string;
}

const csvFile = {
  200: {
    description: "The file.",
    headers: { "Content-Disposition": { description: "The name of the file.", schema: { type: "string" as const } } },
    content: { "text/csv": { schema: z.string() } },
  },
};

/** The query of a list of jobs. */
export const jobListQuery = z.strictObject({ limit: pageQuery.limit, cursor: pageQuery.cursor });

/** What can be done with a job that can be undone. */
export function jobActions<P extends string, R extends z.ZodType>(described: Described<P, R>) {
  const { path, tag, noun, title, response, full } = described;
  const request = { params: idParams(noun) };
  const accepted = { 202: json(response, `The ${noun}.`) };
  return {
    failures: createRoute({
      ...operation("get", `${path}/{id}/failures`, tag, `Download failures of ${title}`),
      request,
      description: described.failures,
      responses: csvFile,
    }),
    pause: createRoute({
      ...operation("post", `${path}/{id}/pause`, tag, `Pause ${title}`),
      request,
      responses: { ...accepted, ...conflicting(`The ${noun} is not running.`) },
    }),
    resume: createRoute({
      ...operation("post", `${path}/{id}/resume`, tag, `Resume ${title}`),
      request,
      responses: { ...accepted, ...conflicting(`The ${noun} is not paused, or ${full}`) },
    }),
    cancel: createRoute({
      ...operation("post", `${path}/{id}/cancel`, tag, `Cancel ${title}`),
      request,
      description: described.cancel,
      responses: { ...accepted, ...conflicting(`The ${noun} has ended.`) },
    }),
    undo: createRoute({
      ...operation("post", `${path}/{id}/undo`, tag, `Undo ${title}`),
      request,
      description: described.undo,
      responses: { ...accepted, ...conflicting(`The ${noun} has not ended, or ${full}`) },
    }),
  };
}

export type JobAction = "pause" | "resume" | "cancel" | "undo";
