import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import { roleHas } from "../../platform/auth/roles.ts";
import type { MemberEnv } from "../../access/guards/env.ts";
import { route } from "../../access/guards/route.ts";
import { requireMember } from "../../access/guards/session-guards.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import * as contract from "./contract.ts";
import { disconnectApp as disconnect, MANAGES_APPS } from "./disconnect.ts";
import { errorRedirect } from "./authorization-request.ts";
import { decide, describeRequest } from "./authorize.ts";
import { OAuthError } from "./oauth-error.ts";
import { listApps as findApps, type ConnectedApp } from "./store/grants.ts";

const describeApp: RouteHandler<typeof contract.describeApp, MemberEnv> = async (c) => {
  try {
    return c.json(await describeRequest(c.get("context"), queryOf(c.req.valid("json"))), 200);
  } catch (error) {
    return refuse(c, error);
  }
};

const decideApp: RouteHandler<typeof contract.decideApp, MemberEnv> = async (c) => {
  const decision = c.req.valid("json");
  try {
    return c.json({ redirectUri: await decide(c.get("context"), { ...decision, query: queryOf(decision) }) }, 200);
  } catch (error) {
    return refuse(c, error);
  }
};

const queryOf = ({ query }: { query: string }) => query.replace(/^\?/, "");

/** The response to a request of an app that is not valid. Rethrows other errors. */
function refuse(c: Context<MemberEnv>, error: unknown) {
  if (!(error instanceof OAuthError)) throw error;
  c.set("errorCode", "invalid_authorization");
  const body = { error: error.message, code: "invalid_authorization" as const, redirectUri: errorRedirect(error) };
  return c.json(body, 422);
}

const LIST = "apps";

const listApps: RouteHandler<typeof contract.listApps, MemberEnv> = async (c) => {
  const { db, now, principal } = c.get("context");
  const { accountId, user, role } = principal;
  const page = readPage(c.req.valid("query"), LIST);
  const userId = roleHas(role, MANAGES_APPS) ? null : user.id;
  const apps = await findApps(db, { accountId, userId }, page, now);
  const { items, nextCursor } = toPage(apps, page, LIST, ({ id }) => id);
  return c.json({ apps: items.map((app) => toBody(app, user.id)), nextCursor }, 200);
};

function toBody(app: ConnectedApp, ownId: string): contract.ConnectedAppBody {
  const { id, clientName, clientHost, resource, scopes, createdAt, lastUsedAt, person } = app;
  const client = { name: clientName, host: clientHost, isVerified: clientHost !== null };
  return { id, client, resource, scopes: [...scopes], createdAt, lastUsedAt, person, isOwn: person.id === ownId };
}

const disconnectApp: RouteHandler<typeof contract.disconnectApp, MemberEnv> = async (c) => {
  await disconnect(c.get("context"), c.req.valid("param").id);
  return c.json({ success: true as const }, 200);
};

export const ROUTES = [
  route(contract.describeApp, requireMember("account:read"), 30, describeApp),
  route(contract.decideApp, requireMember("account:read"), 30, decideApp),
  route(contract.listApps, requireMember("account:read"), 60, listApps),
  route(contract.disconnectApp, requireMember("account:read"), 20, disconnectApp),
];
