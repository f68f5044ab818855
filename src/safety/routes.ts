import type { RouteHandler } from "@hono/zod-openapi";
import type { MemberEnv, SessionEnv } from "../access/guards/env.ts";
import { requireOperator } from "../access/guards/operator-guard.ts";
import { route } from "../access/guards/route.ts";
import { readPage, toPage } from "../platform/http/pagination.ts";
import { requireMember } from "../access/guards/session-guards.ts";
import * as accountContract from "./operators/accounts/contract.ts";
import * as accounts from "./operators/accounts/invite-owner.ts";
import * as appealContract from "./appeals/contract.ts";
import * as appealStore from "./appeals/store.ts";
import * as appeals from "./appeals/appeals.ts";
import * as reportContract from "./reports/contract.ts";
import * as reportStore from "./reports/store.ts";
import * as reports from "./reports/reports.ts";
import { listEntries } from "./operators/store.ts";
import * as contract from "./takedowns/contract.ts";
import * as searchContract from "./operators/search/contract.ts";
import * as search from "./operators/search/search.ts";
import * as statusContract from "./operators/status/contract.ts";
import { readStatus } from "./operators/status/status.ts";
import * as store from "./takedowns/store/takedowns.ts";
import * as screening from "./screening/rules.ts";
import * as screeningContract from "./screening/contract.ts";
import * as takedowns from "./takedowns/takedowns.ts";

const createTakedown: RouteHandler<typeof contract.createTakedown, SessionEnv> = async (c) =>
  c.json({ takedown: await takedowns.createTakedown(c.get("context"), c.req.valid("json")) }, 201);

const TAKEDOWNS = "takedowns";

const listTakedowns: RouteHandler<typeof contract.listTakedowns, SessionEnv> = async (c) => {
  const page = readPage(c.req.valid("query"), TAKEDOWNS);
  const rows = await store.listTakedowns(c.get("context").db, page);
  const { items, nextCursor } = toPage(rows, page, TAKEDOWNS, ({ id }) => id);
  return c.json({ takedowns: items.map(takedowns.toTakedown), nextCursor }, 200);
};

const reverseTakedown: RouteHandler<typeof contract.reverseTakedown, SessionEnv> = async (c) => {
  await takedowns.reverseTakedown(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

const ENTRIES = "operator-entries";

const listOperatorEntries: RouteHandler<typeof contract.listOperatorEntries, SessionEnv> = async (c) => {
  const page = readPage(c.req.valid("query"), ENTRIES);
  const entries = await listEntries(c.get("context").db, page);
  const { items, nextCursor } = toPage(entries, page, ENTRIES, ({ id }) => id);
  return c.json({ entries: items, nextCursor }, 200);
};

const createScreeningRule: RouteHandler<typeof screeningContract.createScreeningRule, SessionEnv> = async (c) =>
  c.json({ rule: await screening.createRule(c.get("context"), c.req.valid("json")) }, 201);

const RULES = "screening-rules";

const listScreeningRules: RouteHandler<typeof screeningContract.listScreeningRules, SessionEnv> = async (c) => {
  const page = readPage(c.req.valid("query"), RULES);
  const rules = await screening.listRules(c.get("context"), page);
  const { items, nextCursor } = toPage(rules, page, RULES, ({ id }) => id);
  return c.json({ rules: items, nextCursor }, 200);
};

const deleteScreeningRule: RouteHandler<typeof screeningContract.deleteScreeningRule, SessionEnv> = async (c) => {
  await screening.deleteRule(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

const REPORTS = { open: "reports", decided: "decided-reports" };

const listReports: RouteHandler<typeof reportContract.listReports, SessionEnv> = async (c) => {
  const { state, ...query } = c.req.valid("query");
  const page = readPage(query, REPORTS[state]);
  const rows = await reportStore.listReports(c.get("context").db, state === "open", page);
  const { items, nextCursor } = toPage(rows, page, REPORTS[state], ({ id }) => id);
  return c.json({ reports: await reports.toReports(c.get("context").db, items), nextCursor }, 200);
};

const decideReport: RouteHandler<typeof reportContract.decideReport, SessionEnv> = async (c) => {
  const { id } = c.req.valid("param");
  return c.json({ report: await reports.decideReport(c.get("context"), id, c.req.valid("json")) }, 200);
};

const dismissReports: RouteHandler<typeof reportContract.dismissReports, SessionEnv> = async (c) =>
  c.json({ dismissed: await reports.dismissReports(c.get("context"), c.req.valid("json").ids) }, 200);

const APPEALS = { open: "appeals", decided: "decided-appeals" };

const listAppeals: RouteHandler<typeof appealContract.listAppeals, SessionEnv> = async (c) => {
  const { state, ...query } = c.req.valid("query");
  const page = readPage(query, APPEALS[state]);
  const rows = await appealStore.listAppeals(c.get("context").db, state === "open", page);
  const { items, nextCursor } = toPage(rows, page, APPEALS[state], ({ appeal_id: id }) => id);
  return c.json({ appeals: items.map(appeals.toAppealedTakedown), nextCursor }, 200);
};

const decideAppeal: RouteHandler<typeof appealContract.decideAppeal, SessionEnv> = async (c) => {
  const { action, answer = null } = c.req.valid("json");
  return c.json(await appeals.decideAppeal(c.get("context"), c.req.valid("param").id, action, answer), 200);
};

const listFoundAccounts: RouteHandler<typeof searchContract.listFoundAccounts, SessionEnv> = async (c) => {
  const { search: text, ...query } = c.req.valid("query");
  const page = readPage(query, search.SEARCH_ORDERS.accounts, (key) => /^\d{1,15}$/.test(key));
  const { items, nextCursor } = await search.findAccounts(c.get("context"), text, page);
  return c.json({ accounts: items, nextCursor }, 200);
};

const inviteOwner: RouteHandler<typeof accountContract.inviteOwner, SessionEnv> = async (c) =>
  c.json({ account: await accounts.inviteOwner(c.get("context"), c.req.valid("json")) }, 201);

const listFoundLinks: RouteHandler<typeof searchContract.listFoundLinks, SessionEnv> = async (c) => {
  const { search: text, accountId, ...query } = c.req.valid("query");
  const page = readPage(query, search.SEARCH_ORDERS.links);
  const { items, nextCursor } = await search.findLinks(c.get("context"), { search: text, accountId }, page);
  return c.json({ links: items, nextCursor }, 200);
};

const listFoundHosts: RouteHandler<typeof searchContract.listFoundHosts, SessionEnv> = async (c) => {
  const { search: text, cursor } = c.req.valid("query");
  const page = readPage({ cursor }, search.SEARCH_ORDERS.hosts);
  const { items, nextCursor } = await search.findHosts(c.get("context").db, text, page);
  return c.json({ hosts: items, nextCursor }, 200);
};

const getStatus: RouteHandler<typeof statusContract.getStatus, SessionEnv> = async (c) =>
  c.json({ status: await readStatus(c.get("context")) }, 200);

const OWN = "own-takedowns";

const listOwnTakedowns: RouteHandler<typeof appealContract.listOwnTakedowns, MemberEnv> = async (c) => {
  const { linkId = null, ...query } = c.req.valid("query");
  const page = readPage(query, OWN);
  const { accountId } = c.get("context").principal;
  const rows = await appealStore.listTakedownsOf(c.get("context").db, { accountId, linkId }, page);
  const { items, nextCursor } = toPage(rows, page, OWN, ({ id }) => id);
  return c.json({ takedowns: items.map(appeals.toOwnTakedown), nextCursor }, 200);
};

const createAppeal: RouteHandler<typeof appealContract.createAppeal, MemberEnv> = async (c) => {
  const { statement } = c.req.valid("json");
  return c.json({ appeal: await appeals.createAppeal(c.get("context"), c.req.valid("param").id, statement) }, 201);
};

export const ROUTES = [
  route(contract.createTakedown, requireOperator, 20, createTakedown),
  route(contract.listTakedowns, requireOperator, 60, listTakedowns),
  route(contract.reverseTakedown, requireOperator, 20, reverseTakedown),
  route(reportContract.listReports, requireOperator, 60, listReports),
  route(reportContract.decideReport, requireOperator, 20, decideReport),
  route(reportContract.dismissReports, requireOperator, 20, dismissReports),
  route(appealContract.listAppeals, requireOperator, 60, listAppeals),
  route(appealContract.decideAppeal, requireOperator, 20, decideAppeal),
  route(contract.listOperatorEntries, requireOperator, 60, listOperatorEntries),
  route(screeningContract.createScreeningRule, requireOperator, 20, createScreeningRule),
  route(screeningContract.listScreeningRules, requireOperator, 60, listScreeningRules),
  route(screeningContract.deleteScreeningRule, requireOperator, 20, deleteScreeningRule),
  route(searchContract.listFoundAccounts, requireOperator, 60, listFoundAccounts),
  route(accountContract.inviteOwner, requireOperator, 20, inviteOwner),
  route(searchContract.listFoundLinks, requireOperator, 60, listFoundLinks),
  route(searchContract.listFoundHosts, requireOperator, 60, listFoundHosts),
  route(statusContract.getStatus, requireOperator, 60, getStatus),
  route(appealContract.listOwnTakedowns, requireMember("audit:read"), 60, listOwnTakedowns),
  route(appealContract.createAppeal, requireMember("account:write"), 5, createAppeal),
];
