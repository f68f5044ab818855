import type { RouteHandler } from "@hono/zod-openapi";
import type { SessionEnv } from "../guards/env.ts";
import { requireOperator } from "../guards/operator-guard.ts";
import { route } from "../guards/route.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { listEntries } from "./store/audit.ts";
import * as contract from "./contract.ts";
import * as store from "./store/takedowns.ts";
import * as screening from "./screening.ts";
import * as screeningContract from "./screening-contract.ts";
import * as takedowns from "./takedowns.ts";

const createTakedown: RouteHandler<typeof contract.createTakedown, SessionEnv> = async (c) =>
  c.json({ takedown: await takedowns.createTakedown(c.get("context"), c.req.valid("json")) }, 201);

const TAKEDOWNS = "takedowns";

const listTakedowns: RouteHandler<typeof contract.listTakedowns, SessionEnv> = async (c) => {
  const page = readPage(c.req.valid("query"), TAKEDOWNS);
  const rows = await store.listTakedowns(c.env.DB, page);
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
  const entries = await listEntries(c.env.DB, page);
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

export const ROUTES = [
  route(contract.createTakedown, requireOperator, 20, createTakedown),
  route(contract.listTakedowns, requireOperator, 60, listTakedowns),
  route(contract.reverseTakedown, requireOperator, 20, reverseTakedown),
  route(contract.listOperatorEntries, requireOperator, 60, listOperatorEntries),
  route(screeningContract.createScreeningRule, requireOperator, 20, createScreeningRule),
  route(screeningContract.listScreeningRules, requireOperator, 60, listScreeningRules),
  route(screeningContract.deleteScreeningRule, requireOperator, 20, deleteScreeningRule),
];
