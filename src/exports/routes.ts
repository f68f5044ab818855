import type { RouteHandler } from "@hono/zod-openapi";
import { route } from "../guards/route.ts";
import { requireMember } from "../guards/session-guards.ts";
import type { MemberEnv } from "../guards/env.ts";
import * as accountExports from "./account-exports.ts";
import { exporterOf } from "./client.ts";
import * as contract from "./contract.ts";
import { respondWithFile } from "./responses.ts";

const startAccountExport: RouteHandler<typeof contract.startAccountExport, MemberEnv> = async (c) =>
  c.json({ export: await accountExports.startAccountExport(c.get("context")) }, 202);

const getAccountExport: RouteHandler<typeof contract.getAccountExport, MemberEnv> = async (c) =>
  c.json({ export: await accountExports.getAccountExport(c.get("context"), c.req.valid("param").id) }, 200);

const getAccountExportFile: RouteHandler<typeof contract.getAccountExportFile, MemberEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const state = await accountExports.getAccountExport(c.get("context"), c.req.valid("param").id);
  return respondWithFile(c, exporterOf(env, principal.accountId, "account"), { ...state, format: "zip" }, "account");
};

export const ROUTES = [
  route(contract.startAccountExport, requireMember("account:export"), 20, startAccountExport),
  route(contract.getAccountExport, requireMember("account:export"), 60, getAccountExport),
  route(contract.getAccountExportFile, requireMember("account:export"), 60, getAccountExportFile),
];
