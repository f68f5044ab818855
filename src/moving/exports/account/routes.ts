import type { RouteHandler } from "@hono/zod-openapi";
import { route } from "../../../access/guards/route.ts";
import { requireMember } from "../../../access/guards/session-guards.ts";
import type { MemberEnv } from "../../../access/guards/env.ts";
import * as accountExports from "./requests.ts";
import * as contract from "./contract.ts";
import { ACCOUNT_EXPORTS } from "../kinds.ts";
import { respondWithFile } from "../responses.ts";

const startAccountExport: RouteHandler<typeof contract.startAccountExport, MemberEnv> = async (c) =>
  c.json({ export: await accountExports.startAccountExport(c.get("context")) }, 202);

const getAccountExport: RouteHandler<typeof contract.getAccountExport, MemberEnv> = async (c) =>
  c.json({ export: await accountExports.getAccountExport(c.get("context"), c.req.valid("param").id) }, 200);

const getAccountExportFile: RouteHandler<typeof contract.getAccountExportFile, MemberEnv> = async (c) => {
  const context = c.get("context");
  const found = await accountExports.getAccountExport(context, c.req.valid("param").id);
  const state = { ...found, format: "zip" } as const;
  return respondWithFile(c, context, { lane: ACCOUNT_EXPORTS.lane, state, name: "account", session: context.session });
};

export const ROUTES = [
  route(contract.startAccountExport, requireMember("account:export"), 20, startAccountExport),
  route(contract.getAccountExport, requireMember("account:export"), 60, getAccountExport),
  route(contract.getAccountExportFile, requireMember("account:export"), 60, getAccountExportFile),
];
