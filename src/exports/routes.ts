import type { RouteHandler } from "@hono/zod-openapi";
import type { MemberEnv } from "../guards/env.ts";
import * as accountExports from "./account-exports.ts";
import { exporterOf } from "./client.ts";
import type * as contract from "./contract.ts";
import { respondWithFile } from "./responses.ts";

export const startAccountExport: RouteHandler<typeof contract.startAccountExport, MemberEnv> = async (c) =>
  c.json({ export: await accountExports.startAccountExport(c.get("context")) }, 202);

export const getAccountExport: RouteHandler<typeof contract.getAccountExport, MemberEnv> = async (c) =>
  c.json({ export: await accountExports.getAccountExport(c.get("context"), c.req.valid("param").id) }, 200);

export const getAccountExportFile: RouteHandler<typeof contract.getAccountExportFile, MemberEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const state = await accountExports.getAccountExport(c.get("context"), c.req.valid("param").id);
  return respondWithFile(c, exporterOf(env, principal.accountId, "account"), { ...state, format: "zip" }, "account");
};
