import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { JobAction } from "../../jobs/contract.ts";
import type { JobActionContext } from "../../jobs/responses.ts";
import { JOB_LISTS_PER_MINUTE, JOB_READS_PER_MINUTE } from "../../jobs/limits.ts";
import { BULK_BODY_BOUNDS } from "../../platform/http/body.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { respondWithCsv } from "../../platform/http/csv.ts";
import {
  changeBulkJob,
  getBulkJob as get,
  listBulkJobs as list,
  readBulkFailures,
  startBulkJob as start,
} from "./requests.ts";
import * as contract from "./contract.ts";

const { actions } = contract;

const startBulkJob: RouteHandler<typeof contract.startBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await start(c.get("context"), c.req.valid("json")) }, 202);

const listBulkJobs: RouteHandler<typeof contract.listBulkJobs, AuthEnv> = async (c) =>
  c.json(await list(c.get("context"), c.req.valid("query")), 200);

const getBulkJob: RouteHandler<typeof contract.getBulkJob, AuthEnv> = async (c) =>
  c.json({ job: await get(c.get("context"), c.req.valid("param").id) }, 200);

const getBulkFailures: RouteHandler<typeof actions.failures, AuthEnv> = async (c) =>
  respondWithCsv(c, await readBulkFailures(c.get("context"), c.req.valid("param").id), "failures");

const act = (action: JobAction) => async (c: JobActionContext) =>
  c.json({ job: await changeBulkJob(c.get("context"), c.req.valid("param").id, action) }, 202);

export const ROUTES = [
  route(contract.startBulkJob, requireKey("bulk", "links:write"), 10, startBulkJob, BULK_BODY_BOUNDS),
  route(contract.listBulkJobs, requireKey("bulk"), JOB_LISTS_PER_MINUTE, listBulkJobs),
  route(contract.getBulkJob, requireKey("bulk"), JOB_READS_PER_MINUTE, getBulkJob),
  route(actions.failures, requireKey("bulk"), 30, getBulkFailures),
  route(actions.pause, requireKey("bulk"), 10, act("pause")),
  route(actions.resume, requireKey("bulk", "links:write"), 10, act("resume")),
  route(actions.cancel, requireKey("bulk"), 10, act("cancel")),
  route(actions.undo, requireKey("bulk", "links:write"), 10, act("undo")),
];
