import type { RouteHandler } from "@hono/zod-openapi";
import type { AuthEnv } from "../auth/principal.ts";
import { exporterOf } from "./client.ts";
import type * as contract from "./file-contract.ts";
import * as fileExports from "./file-exports.ts";
import { respondWithFile } from "./responses.ts";

export const startExport: RouteHandler<typeof contract.startExport, AuthEnv> = async (c) =>
  c.json({ export: await fileExports.startExport(c.get("context"), c.req.valid("json")) }, 202);

export const listExports: RouteHandler<typeof contract.listExports, AuthEnv> = async (c) =>
  c.json(await fileExports.listExports(c.get("context"), c.req.valid("query")), 200);

export const getExport: RouteHandler<typeof contract.getExport, AuthEnv> = async (c) =>
  c.json({ export: await fileExports.getExport(c.get("context"), c.req.valid("param").id) }, 200);

const FILE_NAMES = { links: "links", clicks: "clicks", qr: "qr-codes" } as const;

export const getExportFile: RouteHandler<typeof contract.getExportFile, AuthEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const state = await fileExports.getExport(c.get("context"), c.req.valid("param").id);
  return respondWithFile(c, exporterOf(env, principal.accountId, "files"), state, FILE_NAMES[state.kind]);
};
