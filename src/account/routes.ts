import type { RouteHandler } from "@hono/zod-openapi";
import { listAuditEntries } from "../audit/store/entries.ts";
import { readPage, toPage } from "../http/pagination.ts";
import type { MemberEnv } from "../guards/env.ts";
import { deleteHostCookie } from "../http/cookies.ts";
import { SESSION_COOKIE } from "../sessions/cookies.ts";
import * as accounts from "./account.ts";
import { toAuditEntry } from "./audit-entry.ts";
import type * as contract from "./contract.ts";
import * as deletion from "./deletion.ts";

export const getAccount: RouteHandler<typeof contract.getAccount, MemberEnv> = async (c) =>
  c.json({ account: await accounts.readAccount(c.get("context")) }, 200);

export const updateAccount: RouteHandler<typeof contract.updateAccount, MemberEnv> = async (c) =>
  c.json({ account: await accounts.updateAccount(c.get("context"), c.req.valid("json")) }, 200);

export const getRole: RouteHandler<typeof contract.getRole, MemberEnv> = (c) =>
  c.json({ role: c.get("context").principal.role }, 200);

export const deleteAccount: RouteHandler<typeof contract.deleteAccount, MemberEnv> = async (c) => {
  const { deletesAt, kind } = await deletion.deleteAccount(c.get("context"), c.req.valid("json").confirm);
  if (kind === "personal") deleteHostCookie(c, SESSION_COOKIE);
  return c.json({ deletesAt }, 202);
};

export const deleteTeam: RouteHandler<typeof contract.deleteTeam, MemberEnv> = async (c) => {
  const { deletesAt } = await deletion.deleteAccount(c.get("context"), c.req.valid("json").confirm);
  return c.json({ deletesAt }, 202);
};

export const restoreAccount: RouteHandler<typeof contract.restoreAccount, MemberEnv> = async (c) =>
  c.json({ account: await deletion.restoreAccount(c.get("context")) }, 200);

const ORDER = "audit";

export const listAudit: RouteHandler<typeof contract.listAudit, MemberEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), ORDER);
  const found = await listAuditEntries(env.DB, principal.accountId, page);
  const { items, nextCursor } = toPage(found, page, ORDER, ({ id }) => id);
  return c.json({ entries: items.map(toAuditEntry), nextCursor }, 200);
};
