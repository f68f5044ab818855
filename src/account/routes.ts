import type { RouteHandler } from "@hono/zod-openapi";
import { listAuditEntries } from "../audit/store.ts";
import { readPage, toPage } from "../http/pagination.ts";
import type { MemberEnv } from "../people/env.ts";
import * as accounts from "./account.ts";
import { toAuditEntry } from "./audit-entry.ts";
import type * as contract from "./contract.ts";

export const getAccount: RouteHandler<typeof contract.getAccount, MemberEnv> = async (c) =>
  c.json({ account: await accounts.readAccount(c.get("context")) }, 200);

export const updateAccount: RouteHandler<typeof contract.updateAccount, MemberEnv> = async (c) =>
  c.json({ account: await accounts.updateAccount(c.get("context"), c.req.valid("json")) }, 200);

export const getRole: RouteHandler<typeof contract.getRole, MemberEnv> = (c) =>
  c.json({ role: c.get("context").principal.role }, 200);

const ORDER = "audit";

export const listAudit: RouteHandler<typeof contract.listAudit, MemberEnv> = async (c) => {
  const { env, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), ORDER);
  const found = await listAuditEntries(env.DB, principal.accountId, page);
  const { items, nextCursor } = toPage(found, page, ORDER, ({ id }) => id);
  return c.json({ entries: items.map(toAuditEntry), nextCursor }, 200);
};
