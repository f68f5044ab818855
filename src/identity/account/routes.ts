import type { RouteHandler } from "@hono/zod-openapi";
import { route } from "../../access/guards/route.ts";
import { requireMember, requireMemberOfDeleted, requireTeamMember } from "../../access/guards/session-guards.ts";
import { MAX_SEARCHED_ENTRIES } from "../../access/audit/limits.ts";
import { canSearch, entryPages } from "../../access/audit/list-entries.ts";
import { listAuditEntries } from "../../access/audit/store/entries.ts";
import { respondWithCsv } from "../../platform/http/csv.ts";
import { invalidField } from "../../platform/http/errors.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import type { MemberEnv } from "../../access/guards/env.ts";
import { deleteHostCookie } from "../../platform/http/cookies.ts";
import { streamCsv } from "../../platform/lib/csv.ts";
import { SESSION_COOKIE } from "../../platform/lib/cookie-names.ts";
import * as accounts from "./account.ts";
import { AUDIT_COLUMNS, bodiesOf, toAuditEntry } from "./audit-entry.ts";
import * as contract from "./contract.ts";
import * as deletion from "./deletion.ts";

const getAccount: RouteHandler<typeof contract.getAccount, MemberEnv> = async (c) =>
  c.json({ account: await accounts.readAccount(c.get("context")) }, 200);

const updateAccount: RouteHandler<typeof contract.updateAccount, MemberEnv> = async (c) =>
  c.json({ account: await accounts.updateAccount(c.get("context"), c.req.valid("json")) }, 200);

const getRole: RouteHandler<typeof contract.getRole, MemberEnv> = (c) =>
  c.json({ role: c.get("context").principal.role }, 200);

const deleteAccount: RouteHandler<typeof contract.deleteAccount, MemberEnv> = async (c) => {
  const { deletesAt, kind } = await deletion.deleteAccount(c.get("context"), c.req.valid("json").confirm);
  if (kind === "personal") deleteHostCookie(c, SESSION_COOKIE);
  return c.json({ deletesAt }, 202);
};

const deleteTeam: RouteHandler<typeof contract.deleteTeam, MemberEnv> = async (c) => {
  const { deletesAt } = await deletion.deleteAccount(c.get("context"), c.req.valid("json").confirm);
  return c.json({ deletesAt }, 202);
};

const restoreAccount: RouteHandler<typeof contract.restoreAccount, MemberEnv> = async (c) =>
  c.json({ account: await deletion.restoreAccount(c.get("context")) }, 200);

const ORDER = "audit";

const listAudit: RouteHandler<typeof contract.listAudit, MemberEnv> = async (c) => {
  const { action: actions, actor, createdAfter: from, createdBefore: before, format, ...paging } = c.req.valid("query");
  const { db, principal } = c.get("context");
  const { accountId } = principal;
  const isCsv = format === "csv";
  const [ofPages] = Object.entries(paging).find(([, value]) => value !== undefined) ?? [];
  if (isCsv && ofPages !== undefined) throw invalidField(ofPages, "no_pages_in_csv");
  const page = readPage(paging, ORDER);
  const filter = { actions, actor, from, before };
  if ((isCsv || actions !== undefined || actor !== undefined) && !(await canSearch(db, accountId, page, filter)))
    throw invalidField("createdAfter", "period_too_full", { max: MAX_SEARCHED_ENTRIES, resource: "entry" });
  if (isCsv) return respondWithCsv(c, streamCsv(AUDIT_COLUMNS, bodiesOf(entryPages(db, accountId, filter))), "audit");
  const found = await listAuditEntries(db, accountId, page, filter);
  const { items, nextCursor } = toPage(found, page, ORDER, ({ id }) => id);
  return c.json({ entries: items.map(toAuditEntry), nextCursor }, 200);
};

export const ROUTES = [
  route(contract.getAccount, requireMember("account:read"), 60, getAccount),
  route(contract.updateAccount, requireMember("account:write"), 20, updateAccount),
  route(contract.getRole, requireMember("account:read"), 60, getRole),
  route(contract.listAudit, requireMember("audit:read"), 60, listAudit),
  route(contract.deleteAccount, requireMember("account:write"), 20, deleteAccount),
  route(contract.restoreAccount, requireMemberOfDeleted("account:write"), 20, restoreAccount),
  route(contract.deleteTeam, requireTeamMember("account:write"), 20, deleteTeam),
];
