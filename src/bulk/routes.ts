import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../guards/api-guards.ts";
import { route } from "../guards/route.ts";
import { JOB_LISTS_PER_MINUTE, JOB_READS_PER_MINUTE } from "../jobs/limits.ts";
import { BULK_BODY_BOUNDS } from "../http/body.ts";
import type { AuthEnv } from "../auth/principal.ts";
import { respondWithCsv } from "../http/csv.ts";
import {
  changeBulkJob,
  getBulkJob as get,
  listBulkJobs as list,
  readBulkFailures,
  startBulkJob as start,
} from "./bulk-jobs.ts";
import * as contract from "./contract.ts";

const startBulkJob: RouteHandler<typeof contract.startBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await start(c.get("context"), c.req.valid("json")) }, 202);

const listBulkJobs: RouteHandler<typeof contract.listBulkJobs, AuthEnv> = async (c) =>
  c.json(await list(c.get("context"), c.req.valid("query")), 200);

const getBulkJob: RouteHandler<typeof contract.getBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await get(c.get("context"), c.req.valid("param").id) }, 200);

const getBulkFailures: RouteHandler<typeof contract.getBulkFailures, AuthEnv> = async (c) =>
  respondWithCsv(c, await readBulkFailures(c.get("context"), c.req.valid("param").id), "failures");

const pauseBulkJob: RouteHandler<typeof contract.pauseBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, "pause") }, 202);

const resumeBulkJob: RouteHandler<typeof contract.resumeBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, "resume") }, 202);

const cancelBulkJob: RouteHandler<typeof contract.cancelBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, "cancel") }, 202);

const undoBulkJob: RouteHandler<typeof contract.undoBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, "undo") }, 202);

export const ROUTES = [
  route(contract.startBulkJob, requireKey("bulk", "links:write"), 10, startBulkJob, BULK_BODY_BOUNDS),
  route(contract.listBulkJobs, requireKey("bulk"), JOB_LISTS_PER_MINUTE, listBulkJobs),
  route(contract.getBulkJob, requireKey("bulk"), JOB_READS_PER_MINUTE, getBulkJob),
  route(contract.getBulkFailures, requireKey("bulk"), 30, getBulkFailures),
  route(contract.pauseBulkJob, requireKey("bulk"), 10, pauseBulkJob),
  route(contract.resumeBulkJob, requireKey("bulk", "links:write"), 10, resumeBulkJob),
  route(contract.cancelBulkJob, requireKey("bulk"), 10, cancelBulkJob),
  route(contract.undoBulkJob, requireKey("bulk", "links:write"), 10, undoBulkJob),
];
