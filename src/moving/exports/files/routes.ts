import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../../access/guards/api-guards.ts";
import { BODY_BOUNDS } from "../../../platform/http/body.ts";
import { route, type ComputesLong } from "../../../access/guards/route.ts";
import { JOB_LISTS_PER_MINUTE, JOB_READS_PER_MINUTE } from "../../../jobs/limits.ts";
import type { AuthEnv } from "../../../platform/auth/principal.ts";
import * as contract from "./contract.ts";
import * as fileExports from "./requests.ts";
import { FILE_EXPORTS } from "../kinds.ts";
import { respondWithFile } from "../responses.ts";

const startExport: RouteHandler<typeof contract.startExport, AuthEnv> = async (c) =>
  c.json({ export: await fileExports.startExport(c.get("context"), c.req.valid("json")) }, 202);

const listExports: RouteHandler<typeof contract.listExports, AuthEnv> = async (c) =>
  c.json(await fileExports.listExports(c.get("context"), c.req.valid("query")), 200);

const getExport: RouteHandler<typeof contract.getExport, AuthEnv> = async (c) =>
  c.json({ export: await fileExports.getExport(c.get("context"), c.req.valid("param").id) }, 200);

const FILE_NAMES = { links: "links", clicks: "clicks", qr: "qr-codes" } as const;

const getExportFile: RouteHandler<typeof contract.getExportFile, AuthEnv> = async (c) => {
  const context = c.get("context");
  const state = await fileExports.getExport(context, c.req.valid("param").id);
  return respondWithFile(c, context, { lane: FILE_EXPORTS.lane, state, name: FILE_NAMES[state.kind], session: null });
};

/** The file is unpacked for the response. Files of accounts are stored as they are sent. */
const isDownload: ComputesLong = ({ method }) => method === "GET";

export const ROUTES = [
  route(contract.startExport, requireKey("bulk"), 10, startExport),
  route(contract.listExports, requireKey("bulk"), JOB_LISTS_PER_MINUTE, listExports),
  route(contract.getExport, requireKey("bulk"), JOB_READS_PER_MINUTE, getExport),
  route(contract.getExportFile, requireKey("bulk"), 60, getExportFile, BODY_BOUNDS, isDownload),
];
