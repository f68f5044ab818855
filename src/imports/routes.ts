import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import { readEncoding } from "../http/body.ts";
import { respondWithCsv } from "../http/csv.ts";
import type * as contract from "./contract.ts";
import { readImportFailures } from "./failures.ts";
import * as logic from "./imports.ts";

export const startImport: RouteHandler<typeof contract.startImport, AuthEnv> = async (c) => {
  const { source = "auto" } = c.req.valid("query");
  const upload = {
    body: c.req.raw.body,
    contentType: c.req.header("Content-Type"),
    contentLength: c.req.header("Content-Length"),
    encoding: readEncoding(c.req.header("Content-Encoding")),
  };
  return c.json({ import: await logic.startImport(c.get("context"), upload, source) }, 202);
};

export const listImports: RouteHandler<typeof contract.listImports, AuthEnv> = async (c) =>
  c.json(await logic.listImports(c.get("context"), c.req.valid("query")), 200);

export const getImport: RouteHandler<typeof contract.getImport, AuthEnv> = async (c) =>
  c.json({ import: await logic.getImport(c.get("context"), c.req.valid("param").id) }, 200);

export const updateImport: RouteHandler<typeof contract.updateImport, AuthEnv> = async (c) => {
  const updated = await logic.updateImport(c.get("context"), c.req.valid("param").id, c.req.valid("json"));
  return c.json({ import: updated }, 200);
};

export const getImportFailures: RouteHandler<typeof contract.getImportFailures, AuthEnv> = async (c) =>
  respondWithCsv(c, await readImportFailures(c.get("context"), c.req.valid("param").id), "failures");

export const runImport: RouteHandler<typeof contract.runImport, AuthEnv> = async (c) =>
  c.json({ import: await logic.runImport(c.get("context"), c.req.valid("param").id) }, 202);

export const pauseImport: RouteHandler<typeof contract.pauseImport, AuthEnv> = async (c) =>
  c.json({ import: await logic.changeImport(c.get("context"), c.req.valid("param").id, "pause") }, 202);

export const resumeImport: RouteHandler<typeof contract.resumeImport, AuthEnv> = async (c) =>
  c.json({ import: await logic.changeImport(c.get("context"), c.req.valid("param").id, "resume") }, 202);

export const cancelImport: RouteHandler<typeof contract.cancelImport, AuthEnv> = async (c) =>
  c.json({ import: await logic.changeImport(c.get("context"), c.req.valid("param").id, "cancel") }, 202);

export const undoImport: RouteHandler<typeof contract.undoImport, AuthEnv> = async (c) =>
  c.json({ import: await logic.changeImport(c.get("context"), c.req.valid("param").id, "undo") }, 202);
