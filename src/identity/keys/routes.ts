import type { RouteHandler } from "@hono/zod-openapi";
import { requireKey } from "../../access/guards/api-guards.ts";
import { route } from "../../access/guards/route.ts";
import { accessChanged, lacksPermissions } from "../../platform/auth/require-permissions.ts";
import { starterOf } from "../../platform/auth/still-allowed.ts";
import { generateKey, hashKey, lastFour } from "../../platform/auth/key.ts";
import type { AuthEnv } from "../../platform/auth/principal.ts";
import { keyRevoked } from "../../access/guards/authenticate.ts";
import { conflict, forbidden, limitReached, notFound, invalidField } from "../../platform/http/errors.ts";
import { isRequestPosition } from "../../click-log/log/request-log.ts";
import { readPage, toPage } from "../../platform/http/pagination.ts";
import { isId, newId } from "../../platform/lib/uuid.ts";
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from "../../limits.ts";
import * as contract from "./contract.ts";
import { changeKey, keyNotFound } from "./change-key.ts";
import { prepareKeyChange } from "./key-change.ts";
import { findRequests } from "./list-requests.ts";
import { listRequests as listRequestsContract } from "./request-log-contract.ts";
import * as store from "./store/keys.ts";
import { revokeFamily, revokeKey as revoke } from "./store/revocation.ts";

const createKey: RouteHandler<typeof contract.createKey, AuthEnv> = async (c) => {
  const context = c.get("context");
  const { db, now, principal: caller } = context;
  const input = c.req.valid("json");
  const latest = caller.type === "key" ? caller.expiresAt : null;
  const expiresAt = input.expiresAt ?? latest;
  if (expiresAt !== null && expiresAt <= now) throw invalidField("expiresAt", "in_the_past");
  if (latest !== null && expiresAt !== null && expiresAt > latest) throw forbidden("expires_after_caller");
  const excess = input.permissions?.filter((permission) => !caller.permissions.includes(permission)) ?? [];
  if (excess.length > 0) throw lacksPermissions(caller, excess);

  const value = generateKey();
  const newKey = {
    id: newId(now),
    accountId: caller.accountId,
    name: input.name,
    hash: await hashKey(value),
    lastFour: lastFour(value),
    permissions: input.permissions ?? caller.permissions,
    expiresAt,
    createdBy: starterOf(caller),
  };
  const change = await prepareKeyChange(context, { action: "key.create", keyId: newKey.id, gives: true });
  const result = await store.insertKey(db, newKey, now, change);
  if (result.outcome === "creator_revoked") throw keyRevoked();
  if (result.outcome === "creator_demoted") throw caller.type === "key" ? headMayNot() : accessChanged(caller);
  if (result.outcome === "limit_reached")
    throw limitReached("limit_reached", { resource: "key", max: MAX_ACTIVE_KEYS_PER_ACCOUNT });
  change.report();
  return c.json({ key: { ...result.key, value } }, 201);
};

const headMayNot = () => forbidden("key_lacks_maker");

const ORDER = "keys";

const listKeys: RouteHandler<typeof contract.listKeys, AuthEnv> = async (c) => {
  const { db, now, principal } = c.get("context");
  const page = readPage(c.req.valid("query"), ORDER);
  const keys = await store.listKeys(db, principal.accountId, page, now);
  const { items, nextCursor } = toPage(keys, page, ORDER, (key) => key.id);
  return c.json({ keys: items, nextCursor }, 200);
};

const getCurrentKey: RouteHandler<typeof contract.getCurrentKey, AuthEnv> = async (c) => {
  const { db, now, principal } = c.get("context");
  if (principal.type !== "key") throw notFound("no_key_sent");
  const found = await store.findKey(db, principal.keyId, now);
  if (found === null) throw keyNotFound();
  return c.json({ key: found.key, account: found.account }, 200);
};

const updateKey: RouteHandler<typeof contract.updateKey, AuthEnv> = async (c) =>
  c.json({ key: await changeKey(c.get("context"), c.req.valid("param").id, c.req.valid("json")) }, 200);

const revokeKey: RouteHandler<typeof contract.revokeKey, AuthEnv> = async (c) => {
  const context = c.get("context");
  const { db, now, principal } = context;
  const { id } = c.req.valid("param");
  const withDescendants = c.req.valid("query").descendants ?? false;
  if (!isId(id)) throw keyNotFound();
  const change = await prepareKeyChange(context, { action: "key.revoke", keyId: id, gives: false });
  const callingKey = principal.type === "key" ? principal.keyId : null;
  const outcome = withDescendants
    ? await revokeFamily(db, principal.accountId, id, callingKey, now, change)
    : await revoke(db, principal.accountId, id, now, change);
  if (outcome === "includes_caller") throw conflict("key_of_caller");
  if (outcome === "not_found") throw keyNotFound();
  if (outcome === "demoted") throw accessChanged(principal);
  if (outcome === "forbidden") throw forbidden("of_another_account", { resource: "key" });
  change.report();
  return c.json({ success: true as const }, 200);
};

const REQUESTS = "requests";

const listRequests: RouteHandler<typeof listRequestsContract, AuthEnv> = async (c) => {
  const { keyId, status, method, ...paging } = c.req.valid("query");
  const page = readPage(paging, REQUESTS, isRequestPosition);
  const filter = { keyId, method, statusClass: status === undefined ? undefined : Number(status[0]) };
  const { found, leftOut } = await findRequests(c.get("context"), page, filter);
  const { items, nextCursor } = toPage(found, page, REQUESTS, ({ position }) => position);
  const requests = items.map(({ id, keyId: key, method: sent, path, status: answered, durationMs, createdAt }) => ({
    id,
    keyId: key,
    method: sent,
    path,
    status: answered,
    durationMs,
    createdAt,
  }));
  return c.json({ requests, leftOut, recording: !c.env.NOT_RECORDED.includes("requests"), nextCursor }, 200);
};

export const ROUTES = [
  route(contract.createKey, requireKey("keys:write"), 10, createKey),
  route(contract.listKeys, requireKey("keys:read"), 30, listKeys),
  route(contract.getCurrentKey, requireKey(), 60, getCurrentKey),
  route(contract.updateKey, requireKey("keys:write"), 10, updateKey),
  route(contract.revokeKey, requireKey("keys:write"), 10, revokeKey),
  route(listRequestsContract, requireKey("keys:read"), 30, listRequests),
];
