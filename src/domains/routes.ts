import type { RouteHandler } from "@hono/zod-openapi";
import type { HonoRequest } from "hono";
import { requireKey } from "../access/guards/api-guards.ts";
import { findsOut, route } from "../access/guards/route.ts";
import { requireConfirmedFor } from "../platform/auth/confirmed-operations.ts";
import { prepareChange } from "../access/audit/change.ts";
import type { AuthEnv } from "../platform/auth/principal.ts";
import { requirePermissions, accessChanged } from "../platform/auth/require-permissions.ts";
import type { ServiceContext } from "../platform/context.ts";
import { BODY_BOUNDS } from "../platform/http/body.ts";
import { conflict, invalidRequest, limitReached } from "../platform/http/errors.ts";
import { readPage, toPage } from "../platform/http/pagination.ts";
import { requireShort } from "../platform/http/passed-call.ts";
import { readIdempotency, replay } from "../platform/idempotency/header.ts";
import { ORPHAN_VISITS_KEPT_DAYS } from "../click-log/limits.ts";
import { DAY_MS, DELETED_LINK_KEPT_MS, MAX_DOMAINS_PER_ACCOUNT } from "../limits.ts";
import { describeError, log } from "../platform/lib/log.ts";
import { syncClickCounters } from "../links/click-counters.ts";
import { deleteDomainLinks } from "../links/store/domain-links.ts";
import { publishDomainLoss } from "../redirect/lookup/publish.ts";
import * as contract from "./contract.ts";
import { getDomainRow } from "./get-domain.ts";
import { listOrphanVisits as readOrphanVisits } from "./orphan-visits.ts";
import { listOrphanVisits as listOrphanVisitsRoute } from "./orphan-visits-contract.ts";
import { conflictWithService, serviceHostOf } from "./name.ts";
import { deleteDomain as remove } from "./store/delete.ts";
import { insertDomain } from "./store/insert.ts";
import { listDomains as list } from "./store/read.ts";
import { newDomainRow, toDomain, type DomainRow } from "./store/row.ts";
import { changeDomain } from "./update.ts";
import { verifyDomain as verify } from "./verify.ts";
import { because, readBecause } from "../platform/http/faults.ts";

const addDomain: RouteHandler<typeof contract.addDomain, AuthEnv> = async (c) => {
  const context = c.get("context");
  const { db, env, baseUrl, now, principal } = context;
  const input = c.req.valid("json");
  const { domain, caseSensitive = false } = input;
  const reason =
    domain === env.ANONYMOUS_HOST ? because("anonymous_host") : conflictWithService(domain, serviceHostOf(baseUrl));
  if (reason !== null) throw invalidRequest([readBecause("domain", reason)]);
  const key = c.req.valid("header")["idempotency-key"];
  const idempotency = await readIdempotency(principal.accountId, key, "POST /api/domains/add", input);
  const row = newDomainRow(principal.accountId, domain, caseSensitive, now);
  const response = { domain: toDomain(row, baseUrl) };
  const toStore = idempotency === null ? null : { idempotency, response };
  const result = await insertDomain(db, prepareChange(context, "domains:write"), row, toStore);
  if (result.outcome === "created") return c.json(response, 201);
  if (result.outcome === "repeated" && idempotency !== null) {
    c.header("Idempotent-Replayed", "true");
    return c.json(JSON.parse(replay(result, idempotency)) as typeof response, 201);
  }
  if (result.outcome === "demoted") throw accessChanged(principal);
  if (result.outcome === "exists") throw conflict("exists", { resource: "domain", value: domain });
  if (result.outcome === "being_deleted") throw conflict("links_being_deleted", { value: domain });
  if (result.outcome === "case_is_set")
    throw conflict("case_of_deleted_links", {
      value: domain,
      expected: caseSensitive ? "false" : "true",
      days: DELETED_LINK_KEPT_MS / DAY_MS,
    });
  throw limitReached("limit_reached", { resource: "domain", max: MAX_DOMAINS_PER_ACCOUNT });
};

const ORDER = "domains";

const listDomains: RouteHandler<typeof contract.listDomains, AuthEnv> = async (c) => {
  const context = c.get("context");
  const { db, baseUrl, principal } = context;
  const page = readPage(c.req.valid("query"), ORDER);
  const rows = await list(db, principal.accountId, page);
  requireShort(context, rows);
  const { items, nextCursor } = toPage(rows, page, ORDER, (row) => row.id);
  return c.json({ domains: items.map((row) => toDomain(row, baseUrl)), nextCursor }, 200);
};

const getDomain: RouteHandler<typeof contract.getDomain, AuthEnv> = async (c) => {
  const context = c.get("context");
  const row = await getDomainRow(context, c.req.valid("param").id);
  return c.json({ domain: toDomain(row, context.baseUrl) }, 200);
};

const listOrphanVisits: RouteHandler<typeof listOrphanVisitsRoute, AuthEnv> = async (c) => {
  const { days = ORPHAN_VISITS_KEPT_DAYS } = c.req.valid("query");
  return c.json({ orphanVisits: await readOrphanVisits(c.get("context"), c.req.valid("param").id, days) }, 200);
};

const verifyDomain: RouteHandler<typeof contract.verifyDomain, AuthEnv> = async (c) => {
  const context = c.get("context");
  const { row, seen } = await verify(context, c.req.valid("param").id);
  return c.json({ domain: toDomain(row, context.baseUrl), verified: row.status === "verified", seen }, 200);
};

const updateDomain: RouteHandler<typeof contract.updateDomain, AuthEnv> = async (c) => {
  const context = c.get("context");
  const row = await changeDomain(context, c.req.valid("param").id, c.req.valid("json"));
  return c.json({ domain: toDomain(row, context.baseUrl) }, 200);
};

const deleteDomain: RouteHandler<typeof contract.deleteDomain, AuthEnv> = async (c) => {
  const context = c.get("context");
  const force = c.req.valid("query").force === "true";
  if (force) {
    requirePermissions(context.principal, ["links:write"]);
    requireConfirmedFor("DELETE /api/domains/:id", context);
  }
  const row = await getDomainRow(context, c.req.valid("param").id);
  // The events of the deleted links hold their click counts.
  if (force) await syncClickCounters(context);
  const change = prepareChange(context, "domains:write");
  const outcome = await remove(context.db, change, row.id, force);
  if (outcome === "demoted") throw accessChanged(context.principal);
  if (outcome === "in_use") throw conflict("links_use_domain", { value: row.domain });
  if (row.status === "verified") await publishDomainLoss(context, row);
  if (force) context.waitUntil(deleteFirstLinks(context, row));
  return c.json({ success: true as const }, 200);
};

/** Deletes the first links now; the cron deletes the others. */
async function deleteFirstLinks(context: ServiceContext, { account_id, domain }: DomainRow): Promise<void> {
  try {
    await deleteDomainLinks(context, account_id, domain);
  } catch (error) {
    log("warn", "domain_link_deletion_failed", { domain, ...describeError(error) });
  }
}

/** The events of up to 500 links are compressed after the response. */
const deletesLinks = (request: HonoRequest) => request.query("force") === "true";

export const ROUTES = [
  route(contract.addDomain, requireKey("domains:write"), 10, addDomain),
  route(contract.listDomains, requireKey("domains:read"), 30, listDomains, BODY_BOUNDS, findsOut),
  route(contract.getDomain, requireKey("domains:read"), 60, getDomain),
  route(listOrphanVisitsRoute, requireKey("domains:read"), 30, listOrphanVisits),
  route(contract.verifyDomain, requireKey("domains:write"), 5, verifyDomain),
  route(contract.updateDomain, requireKey("domains:write"), 10, updateDomain),
  route(contract.deleteDomain, requireKey("domains:write"), 10, deleteDomain, BODY_BOUNDS, deletesLinks),
];
