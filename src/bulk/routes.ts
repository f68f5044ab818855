import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import { respondWithCsv } from "../http/csv.ts";
import {
  changeBulkJob,
  getBulkJob as get,
  listBulkJobs as list,
  readBulkFailures,
  startBulkJob as start,
} from "./bulk-jobs.ts";
import type * as contract from "./contract.ts";

export const startBulkJob: RouteHandler<typeof contract.startBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await start(c.get("context"), c.req.valid("json")) }, 202);

export const listBulkJobs: RouteHandler<typeof contract.listBulkJobs, AuthEnv> = async (c) =>
  c.json(await list(c.get("context"), c.req.valid("query")), 200);

export const getBulkJob: RouteHandler<typeof contract.getBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await get(c.get("context"), c.req.valid("param").id) }, 200);

export const getBulkFailures: RouteHandler<typeof contract.getBulkFailures, AuthEnv> = async (c) =>
  respondWithCsv(c, await readBulkFailures(c.get("context"), c.req.valid("param").id), "failures");

export const pauseBulkJob: RouteHandler<typeof contract.pauseBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, "pause") }, 202);

export const resumeBulkJob: RouteHandler<typeof contract.resumeBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, "resume") }, 202);

export const cancelBulkJob: RouteHandler<typeof contract.cancelBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, "cancel") }, 202);

export const undoBulkJob: RouteHandler<typeof contract.undoBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, "undo") }, 202);
