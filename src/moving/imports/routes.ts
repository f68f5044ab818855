import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import type { JobAction } from "../../jobs/contract.ts";
import type { JobActionContext } from "../../jobs/responses.ts";
import { JOB_LISTS_PER_MINUTE, JOB_READS_PER_MINUTE } from "../../jobs/limits.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { readEncoding } from "../../platform/http/body.ts";
import { respondWithCsv } from "../../platform/http/csv.ts";
import { hasBodyOver } from "../../platform/http/passed-call.ts";
import * as contract from "./contract.ts";
import { readImportFailures } from "./failures.ts";
import { MAX_OWN_FILE_BYTES } from "./limits.ts";
import * as logic from "./requests.ts";

const { actions } = contract;

const startImport: RouteHandler<typeof contract.startImport, AuthEnv> = async (c) => {
  const { source = "auto" } = c.req.valid("query");
  const upload = {
    body: c.req.raw.body,
    contentType: c.req.header("Content-Type"),
    contentLength: c.req.header("Content-Length"),
    encoding: readEncoding(c.req.header("Content-Encoding")),
  };
  return c.json({ import: await logic.startImport(c.get("context"), upload, source) }, 202);
};

const listImports: RouteHandler<typeof contract.listImports, AuthEnv> = async (c) =>
  c.json(await logic.listImports(c.get("context"), c.req.valid("query")), 200);

const getImport: RouteHandler<typeof contract.getImport, AuthEnv> = async (c) =>
  c.json({ import: await logic.getImport(c.get("context"), c.req.valid("param").id) }, 200);

const updateImport: RouteHandler<typeof contract.updateImport, AuthEnv> = async (c) => {
  const updated = await logic.updateImport(c.get("context"), c.req.valid("param").id, c.req.valid("json"));
  return c.json({ import: updated }, 200);
};

const getImportFailures: RouteHandler<typeof actions.failures, AuthEnv> = async (c) =>
  respondWithCsv(c, await readImportFailures(c.get("context"), c.req.valid("param").id), "failures");

const runImport: RouteHandler<typeof contract.runImport, AuthEnv> = async (c) =>
  c.json({ import: await logic.runImport(c.get("context"), c.req.valid("param").id) }, 202);

const act = (action: JobAction) => async (c: JobActionContext) =>
  c.json({ import: await logic.changeImport(c.get("context"), c.req.valid("param").id, action) }, 202);

export const ROUTES = [
  route(
    contract.startImport,
    requireKey("bulk", "links:write"),
    10,
    startImport,
    null,
    hasBodyOver(MAX_OWN_FILE_BYTES),
  ),
  route(contract.listImports, requireKey("bulk"), JOB_LISTS_PER_MINUTE, listImports),
  route(contract.getImport, requireKey("bulk"), JOB_READS_PER_MINUTE, getImport),
  route(contract.updateImport, requireKey("bulk", "links:write"), 10, updateImport),
  route(actions.failures, requireKey("bulk"), 30, getImportFailures),
  route(contract.runImport, requireKey("bulk", "links:write"), 10, runImport),
  route(actions.pause, requireKey("bulk"), 10, act("pause")),
  route(actions.resume, requireKey("bulk", "links:write"), 10, act("resume")),
  route(actions.cancel, requireKey("bulk"), 10, act("cancel")),
  route(actions.undo, requireKey("bulk", "links:write"), 10, act("undo")),
];
