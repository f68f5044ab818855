import type { ServiceContext } from "../context.ts";
import type { RouteHandler } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { AuthEnv } from "../auth/principal.ts";
import { syncClickCounters } from "../links/click-counters.ts";
import { conflict, invalidRequest, limitReached, unavailable } from "../http/errors.ts";
import { readIdempotency, replay } from "../idempotency/header.ts";
import { readPage, toPage } from "../http/pagination.ts";
import { LookUpError } from "../lib/dns.ts";
import { describeError, log } from "../lib/log.ts";
import { newId } from "../lib/uuid.ts";
import { MAX_DOMAINS_PER_ACCOUNT } from "../limits.ts";
import { deleteDomainLinks } from "../links/store/domain-links.ts";
import { notifyWebhooks } from "../outbox/messages.ts";
import { publishDomainLoss } from "../redirect/lookup/resolve.ts";
import { newToken } from "./challenge.ts";
import { changeDomain } from "./update.ts";
import type { DnsResult } from "./verification-state.ts";
import type * as contract from "./contract.ts";
import { registryOf } from "./custom-hostnames.ts";
import { lookUp } from "./dns-lookup.ts";
import { conflictWithService } from "./name.ts";
import { getDomainRow, domainNotFound } from "./get-domain.ts";
import { syncCustomHostname } from "./registration.ts";
import { serviceHostOf, toDomain, type DomainRow } from "./row.ts";
import * as store from "./store.ts";
import { publishStatus } from "./publish-status.ts";
import { recordDnsResult } from "./verification.ts";

export const addDomain: RouteHandler<typeof contract.addDomain, AuthEnv> = async (c) => {
  const { domain } = c.req.valid("json");
  const serviceHost = hostOf(c);
  const fault = conflictWithService(domain, serviceHost);
  if (fault !== null) throw invalidRequest([{ path: "domain", message: fault }]);
  const { accountId } = c.get("context").principal;
  const key = c.req.valid("header")["idempotency-key"];
  const idempotency = await readIdempotency(accountId, key, "POST /api/domains/add", { domain });
  const row = newRow(accountId, domain, c.get("context").now);
  const response = { domain: toDomain(row, serviceHost) };
  const result = await store.insertDomain(c.env.DB, row, idempotency === null ? null : { idempotency, response });
  if (result.outcome === "created") return c.json(response, 201);
  if (result.outcome === "answered" && idempotency !== null) {
    c.header("Idempotent-Replayed", "true");
    return c.json(JSON.parse(replay(result, idempotency)) as typeof response, 201);
  }
  if (result.outcome === "has_it") throw conflict(`This account has ${domain} already.`);
  if (result.outcome === "being_deleted")
    throw conflict(`The links that ${domain} had are still being deleted. Try again in a minute.`);
  throw limitReached(`This account has ${MAX_DOMAINS_PER_ACCOUNT} domains, the most there can be. Delete one first.`);
};

function newRow(accountId: number, domain: string, now: number): DomainRow {
  return {
    id: newId(now),
    account_id: accountId,
    domain,
    token: newToken(),
    status: "pending",
    txt_found: null,
    cname_found: null,
    root_url: null,
    not_found_url: null,
    apple_app_site_association: null,
    asset_links: null,
    checked_at: null,
    check_at: null,
    verified_at: null,
    lost_at: null,
    hostname_id: null,
    hostname_status: null,
    hostname_error: null,
    hostname_at: null,
    created_at: now,
    updated_at: now,
  };
}

const ORDER = "domains";

export const listDomains: RouteHandler<typeof contract.listDomains, AuthEnv> = async (c) => {
  const page = readPage(c.req.valid("query"), ORDER);
  const rows = await store.listDomains(c.env.DB, c.get("context").principal.accountId, page);
  const { items, nextCursor } = toPage(rows, page, ORDER, (row) => row.id);
  return c.json({ domains: items.map((row) => toDomain(row, hostOf(c))), nextCursor }, 200);
};

export const getDomain: RouteHandler<typeof contract.getDomain, AuthEnv> = async (c) => {
  return c.json({ domain: toDomain(await getOwn(c, c.req.valid("param").id), hostOf(c)) }, 200);
};

export const verifyDomain: RouteHandler<typeof contract.verifyDomain, AuthEnv> = async (c) => {
  const row = await getOwn(c, c.req.valid("param").id);
  const found = await look(c, row);
  const now = c.get("context").now;
  const setting = { serviceHost: hostOf(c), registers: registryOf(c.env) !== null };
  const result = await recordDnsResult(c.env.DB, row, found, { now, chance: Math.random() }, setting);
  if (result.outcome === "gone") throw domainNotFound();
  if (result.outcome === "claimed")
    throw conflict(
      `${row.domain} is verified by another account. Once that deletes it, or its TXT record is gone for a week, verify again.`,
    );
  await publishStatus(row, result.row, now);
  if (result.webhookIds.length > 0) c.executionCtx.waitUntil(notifyWebhooks(c.env.DELIVERIES, result.webhookIds));
  const restart = found.cname === true && result.row.hostname_status !== "active";
  const after = await syncCustomHostname(c.env, result.row, now, restart);
  return c.json({ domain: toDomain(after, hostOf(c)), verified: after.status === "verified" }, 200);
};

async function look(c: Context<AuthEnv>, row: DomainRow): Promise<DnsResult> {
  try {
    return await lookUp(c.env.DNS_OVER_HTTPS_URL, row, hostOf(c));
  } catch (error) {
    if (!(error instanceof LookUpError)) throw error;
    log("warn", "domain_not_looked_up", { requestId: c.get("context").requestId, ...describeError(error) });
    throw unavailable(
      `The records of ${row.domain} could not be looked up: ${error.message}. Nothing was changed; check its name servers and try again.`,
    );
  }
}

export const updateDomain: RouteHandler<typeof contract.updateDomain, AuthEnv> = async (c) => {
  const row = await changeDomain(c, c.req.valid("param").id, c.req.valid("json"));
  return c.json({ domain: toDomain(row, hostOf(c)) }, 200);
};

export const deleteDomain: RouteHandler<typeof contract.deleteDomain, AuthEnv> = async (c) => {
  const row = await getOwn(c, c.req.valid("param").id);
  const force = c.req.valid("query").force === "true";
  const now = c.get("context").now;
  // The events tell of the links as they were.
  if (force) await syncClickCounters(c.get("context"));
  if ((await store.deleteDomain(c.env.DB, row, force, now)) === "in_use")
    throw conflict(`Links still use ${row.domain}. Delete them first, or repeat with ?force=true to delete them too.`);
  if (row.status === "verified") await publishDomainLoss(row, now);
  // The first links now, all others by the cron.
  if (force) c.executionCtx.waitUntil(deleteLinks(c.get("context"), row));
  return c.json({ success: true as const }, 200);
};

async function deleteLinks(context: ServiceContext, { account_id, domain }: DomainRow): Promise<void> {
  try {
    await deleteDomainLinks(context, account_id, domain);
  } catch (error) {
    log("warn", "domain_links_not_deleted", { domain, ...describeError(error) });
  }
}

function getOwn(c: Context<AuthEnv>, id: string): Promise<DomainRow> {
  return getDomainRow(c.get("context"), id);
}

function hostOf(c: { get: Context<AuthEnv>["get"] }): string {
  return serviceHostOf(c.get("context").baseUrl);
}
